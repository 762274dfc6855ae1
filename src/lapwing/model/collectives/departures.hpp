#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The messages that a rank sends at once, and when each of them is received. Its processor starts
/// one after another. They pass its interface one after another, or share it.
class Departures {
  public:
    explicit Departures(const Network& network) : sharing_(network.sharing) {}

    void clear() {
        messages_.clear();
        processor_ = 0;
        interface_ = 0;
    }
    /// Adds the next message. `own_node`: it goes to the rank's own node, through no interface.
    void add(const MessageCost& cost, bool own_node) {
        processor_ += cost.send;
        double through = processor_ + cost.wire;
        if (!own_node && !sharing_)
            through = interface_ = std::max(interface_, processor_) + cost.wire;
        messages_.push_back(
            {processor_, own_node ? 0 : cost.wire, through, cost.latency + cost.receive});
    }
    /// To be called after the last message and before `received`.
    void end() {
        if (sharing_) share();
    }
    [[nodiscard]] std::size_t count() const { return messages_.size(); }
    /// Seconds from the start of the first message until the `i`-th has been received.
    [[nodiscard]] double received(std::size_t i) const {
        return messages_[i].through + messages_[i].rest;
    }

  private:
    struct Message {
        double start;    ///< when the processor has started it
        double left;     ///< seconds of the interface that it still needs
        double through;  ///< when it has passed the interface
        double rest;     ///< seconds from then until it has been received
    };

    /// Lets the messages share the interface, each having an equal part of it while it needs it.
    void share() {
        double now = 0;
        for (;;) {
            double in_flight = 0;
            double least = 0;
            double next = -1;  // start of a later message
            for (const auto& each : messages_) {
                if (each.left <= 0) continue;
                if (each.start > now) {
                    if (next < 0) next = each.start;
                    continue;
                }
                if (in_flight == 0 || each.left < least) least = each.left;
                ++in_flight;
            }
            if (in_flight == 0 && next < 0) return;
            const double done = now + least * in_flight;
            const double until = next >= 0 && (in_flight == 0 || next < done) ? next : done;
            for (auto& each : messages_) {
                if (each.left <= 0 || each.start > now) continue;
                const bool ends = until == done && each.left <= least;
                each.left = ends ? 0 : each.left - (until - now) / in_flight;
                if (ends) each.through = until;
            }
            now = until;
        }
    }

    bool sharing_;
    double processor_ = 0;
    double interface_ = 0;
    std::vector<Message> messages_;
};

}  // namespace lapwing::model
