#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/arrivals.hpp"
#include "lapwing/plan/peer_order.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Where streams come from and go to: `feed` with the same plan on each of `peers`, into `data`.
template <Transport T, class Element>
struct Sources {
    T& transport;
    std::vector<int> peers;
    std::span<Element>
        data;  ///< room for all: what comes from a peer behind that of the one before
    PeerOrder order = PeerOrder::interleaved;
};

template <Transport T, class Element>
Sources(T&, std::vector<int>, std::span<Element>) -> Sources<T, Element>;
template <Transport T, class Element>
Sources(T&, std::vector<int>, std::span<Element>, PeerOrder) -> Sources<T, Element>;

/// A part of what comes from one of several peers.
template <class Element>
struct PeerPiece {
    std::span<Element> data;  ///< the elements, in their place in the whole
    std::uint64_t first = 0;  ///< index of the first of them in what comes from this peer
    int peer = -1;            ///< its rank
};

/// The messages of streams from several peers.
template <class Element>
class MultiOrder {
  public:
    using Piece = PeerPiece<Element>;
    struct Place {
        std::byte* data = nullptr;
        std::uint64_t bytes = 0;
        std::size_t source = 0;  ///< which of the peers
    };

    template <Transport T>
    MultiOrder(const Sources<T, Element>& sources, const Messages& messages)
        : data_(sources.data), peers_(sources.peers), order_(sources.order), messages_(messages) {
        if (messages.volume() * peers_.size() != data_.size_bytes())
            throw std::invalid_argument(
                "multi: the plan's volume for each peer is not the size of the data");
        if (messages.grain() % sizeof(Element) != 0 || messages.volume() % sizeof(Element) != 0)
            throw std::invalid_argument("multi: the plan's grain is not a multiple of an element");
        if (!peers_.empty()) next_ = messages_.begin();
    }

    // The iterator points to what a move takes along, and a copy would not.
    MultiOrder(MultiOrder&&) noexcept = default;
    MultiOrder& operator=(MultiOrder&&) noexcept = default;
    MultiOrder(const MultiOrder&) = delete;
    MultiOrder& operator=(const MultiOrder&) = delete;
    ~MultiOrder() = default;

    [[nodiscard]] bool done() const { return next_ == Messages::End{}; }
    // The message to be initiated next. Not when `done()`.
    [[nodiscard]] Place place() const { return {start(source_) + next_.offset(), *next_, source_}; }
    [[nodiscard]] int peer() const { return peers_[source_]; }
    [[nodiscard]] int tag() const { return message_tag(next_.index()); }
    void next() {
        if (order_ == PeerOrder::contiguous) {
            ++next_;
            if (done() && ++source_ < peers_.size()) next_ = messages_.begin();
        } else if (++source_ == peers_.size()) {
            source_ = 0;
            ++next_;
        }
    }

    [[nodiscard]] Piece piece(const Place& place) const {
        auto* const first = reinterpret_cast<Element*>(place.data);
        return {{first, place.bytes / sizeof(Element)},
                static_cast<std::uint64_t>(place.data - start(place.source)) / sizeof(Element),
                peers_[place.source]};
    }
    [[nodiscard]] std::string where(const Place& place) const {
        if (place.bytes == 0) return "streams from " + std::to_string(peers_.size()) + " ranks";
        const Piece at = piece(place);
        return "stream from rank " + std::to_string(at.peer) + ", element " +
               std::to_string(at.first);
    }

  private:
    /// Where the data of a peer begins.
    [[nodiscard]] std::byte* start(std::size_t source) const {
        return reinterpret_cast<std::byte*>(data_.data()) + source * messages_.volume();
    }

    std::span<Element> data_;
    std::vector<int> peers_;
    PeerOrder order_;
    Messages messages_;
    Messages::Iterator next_;
    std::size_t source_ = 0;
};

/// A single-pass range over the pieces of data that arrive from several ranks at once, each cut as
/// `plan` says and its window over all of them; see `Arrivals`. `recorder`: a `Trace`, or nothing.
/// Throws `std::invalid_argument` where the plan is for another volume or cuts through elements.
///
///     lapwing::Sources sources{transport, {1, 2, 3}, std::span<double>(data)};
///     for (auto piece : lapwing::multi<double>(sources, plan)) consume(piece.peer, piece.data);
template <class Element, Transport T, Records Recorder = const NoTrace>
[[nodiscard]] auto multi(const Sources<T, Element>& sources, const Plan& plan,
                         Recorder& recorder = no_trace) {
    return Arrivals<T, MultiOrder<Element>, Recorder>(
        sources.transport, plan, MultiOrder<Element>(sources, plan.messages), recorder);
}

/// Calls `consume(piece)` for each of these pieces.
template <class Element, Transport T, std::invocable<PeerPiece<Element>> Consume,
          Records Recorder = const NoTrace>
void multi(const Sources<T, Element>& sources, const Plan& plan, Consume&& consume,
           Recorder& recorder = no_trace) {
    multi<Element>(sources, plan, recorder).for_each(consume);
}

}  // namespace lapwing
