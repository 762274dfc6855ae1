#pragma once

#include <utility>

#include "lapwing/pipeline/multi.hpp"
#include "lapwing/transport/tag.hpp"

namespace lapwing::tools {

/// A message of a pipeline with several peers: the memory it is sent from or received into.
struct PlacedMessage {
    MultiOrder<double>::Destination place;
    int peer = -1;
    int tag = 0;
    void clear() {}
};

/// The messages of a pipeline with several peers, one after another.
class PlacedMessages {
  public:
    explicit PlacedMessages(MultiOrder<double> order) : order_(std::move(order)) {}

    /// Writes the next one to `message`; false if there is none.
    bool next(PlacedMessage& message) {
        if (order_.done()) return false;
        message = {order_.destination(), order_.peer(), message_tag(order_.index())};
        order_.next();
        return true;
    }
    /// The elements that a message carries.
    [[nodiscard]] PeerPiece<double> piece(const PlacedMessage& message) const {
        return order_.piece(message.place);
    }

  private:
    MultiOrder<double> order_;
};

}  // namespace lapwing::tools
