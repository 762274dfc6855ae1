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
#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Where several streams come from, which is `feed` with the same plan on each of `peers`, and
/// where they go to.
template <Transport T, class Element>
struct Sources {
    T& transport;
    std::vector<int> peers;
    std::span<Element> data;  ///< room for all streams, one behind the other as `peers` has them
    PeerOrder order = PeerOrder::interleaved;
};

template <Transport T, class Element>
Sources(T&, std::vector<int>, std::span<Element>) -> Sources<T, Element>;
template <Transport T, class Element>
Sources(T&, std::vector<int>, std::span<Element>, PeerOrder) -> Sources<T, Element>;

/// A part of one of several streams that has arrived.
template <class Element>
struct PeerPiece {
    std::span<Element> data;  ///< the elements, in their place in the whole
    std::uint64_t first = 0;  ///< index of the first of them in its peer's stream
    int peer = -1;            ///< rank that sent it
};

/// The messages of streams from several peers, one after another: a `MessageOrder`.
template <class Element>
class MultiOrder {
  public:
    using Piece = PeerPiece<Element>;
    struct Destination {
        std::byte* data = nullptr;
        std::uint64_t bytes = 0;
        std::size_t source = 0;  ///< index of the peer
    };

    /// `messages`: how each stream is cut. Throws `std::invalid_argument` where they are for
    /// another volume or cut through elements.
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

    // The iterator points into `messages_`: a move takes that along, a copy would not.
    MultiOrder(MultiOrder&&) noexcept = default;
    MultiOrder& operator=(MultiOrder&&) noexcept = default;
    MultiOrder(const MultiOrder&) = delete;
    MultiOrder& operator=(const MultiOrder&) = delete;
    ~MultiOrder() = default;

    [[nodiscard]] bool done() const { return next_ == Messages::End{}; }
    // Of the message to be initiated next. Not when `done()`.
    [[nodiscard]] Destination destination() const {
        return {start(source_) + next_.offset(), *next_, source_};
    }
    [[nodiscard]] int peer() const { return peers_[source_]; }
    [[nodiscard]] std::uint64_t index() const { return next_.index(); }
    [[nodiscard]] const Messages& messages() const { return messages_; }
    void next() {
        if (order_ == PeerOrder::contiguous) {
            ++next_;
            if (done() && ++source_ < peers_.size()) next_ = messages_.begin();
        } else if (++source_ == peers_.size()) {
            source_ = 0;
            ++next_;
        }
    }

    template <class F>
    void for_each_stream(F&& f) const {
        for (std::size_t source = 0; source < peers_.size(); ++source)
            f(std::span(start(source), messages_.volume()), peers_[source]);
    }

    [[nodiscard]] Piece piece(const Destination& message) const {
        auto* const first = reinterpret_cast<Element*>(message.data);
        const auto before = static_cast<std::uint64_t>(message.data - start(message.source));
        return {{first, message.bytes / sizeof(Element)},
                before / sizeof(Element),
                peers_[message.source]};
    }
    [[nodiscard]] std::string where(const Destination& message) const {
        if (message.bytes == 0) return "streams from " + std::to_string(peers_.size()) + " ranks";
        const Piece at = piece(message);
        return "stream from rank " + std::to_string(at.peer) + ", element " +
               std::to_string(at.first);
    }

  private:
    /// Where a peer's stream goes.
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

/// `stream` from several ranks at once: a single-pass range over the pieces of data that arrive
/// from them. The plan's volume and messages are those of each stream, its window is over all of
/// them; see `Arrivals`. The other side is `feed` with the same plan on each of the ranks.
///
/// `recorder`: a `Trace`, or nothing. Throws `std::invalid_argument` where the plan is for another
/// volume or cuts through elements.
///
///     lapwing::Sources sources{transport, {1, 2, 3}, std::span<double>(data)};
///     for (auto piece : lapwing::multi<double>(sources, plan)) consume(piece.peer, piece.data);
template <class Element, Transport T, Records Recorder = const NoTrace>
[[nodiscard]] auto multi(const Sources<T, Element>& sources, const Plan& plan,
                         Recorder& recorder = no_trace) {
    return Arrivals<T, MultiOrder<Element>, Recorder>(
        sources.transport, plan, MultiOrder<Element>(sources, plan.messages), recorder);
}

/// The same as a call: `consume(piece)` for each of these pieces.
template <class Element, Transport T, std::invocable<PeerPiece<Element>> Consume,
          Records Recorder = const NoTrace>
void multi(const Sources<T, Element>& sources, const Plan& plan, Consume&& consume,
           Recorder& recorder = no_trace) {
    multi<Element>(sources, plan, recorder).for_each(consume);
}

}  // namespace lapwing
