#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/arrivals.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Where a stream comes from, which is `feed` on rank `peer`, and where it goes to.
template <Transport T, class Element>
struct Source {
    T& transport;
    int peer;
    std::span<Element> data;  ///< room for the whole stream
};

template <Transport T, class Element>
Source(T&, int, std::span<Element>) -> Source<T, Element>;

/// A part of a stream that has arrived.
template <class Element>
struct Piece {
    std::span<Element> data;  ///< the elements, in their place in the whole
    std::uint64_t first = 0;  ///< index of the first of them in the whole
};

/// The messages of a stream, one after another: a `MessageOrder`.
template <class Element>
class StreamOrder {
  public:
    using Piece = lapwing::Piece<Element>;
    struct Destination {
        std::byte* data = nullptr;
        std::uint64_t bytes = 0;
    };

    /// `messages`: how the stream is cut. Throws `std::invalid_argument` where they are for another
    /// volume or cut through elements.
    template <Transport T>
    StreamOrder(const Source<T, Element>& source, const Messages& messages)
        : data_(source.data), peer_(source.peer), messages_(messages), next_(messages_.begin()) {
        if (messages.volume() != data_.size_bytes())
            throw std::invalid_argument("stream: the plan's volume is not the size of the data");
        if (messages.grain() % sizeof(Element) != 0)
            throw std::invalid_argument("stream: the plan's grain is not a multiple of an element");
    }

    // The iterator points into `messages_`: a move takes that along, a copy would not.
    StreamOrder(StreamOrder&&) noexcept = default;
    StreamOrder& operator=(StreamOrder&&) noexcept = default;
    StreamOrder(const StreamOrder&) = delete;
    StreamOrder& operator=(const StreamOrder&) = delete;
    ~StreamOrder() = default;

    [[nodiscard]] bool done() const { return next_ == Messages::End{}; }
    // Of the message to be initiated next. Not when `done()`.
    [[nodiscard]] Destination destination() const {
        return {reinterpret_cast<std::byte*>(data_.data()) + next_.offset(), *next_};
    }
    [[nodiscard]] int peer() const { return peer_; }
    [[nodiscard]] std::uint64_t index() const { return next_.index(); }
    [[nodiscard]] const Messages& messages() const { return messages_; }
    void next() { ++next_; }
    template <class F>
    void for_each_stream(F&& f) const {
        f(std::as_writable_bytes(data_), peer_);
    }

    [[nodiscard]] Piece piece(const Destination& message) const {
        auto* const first = reinterpret_cast<Element*>(message.data);
        return {{first, message.bytes / sizeof(Element)},
                static_cast<std::uint64_t>(first - data_.data())};
    }
    [[nodiscard]] std::string where(const Destination& message) const {
        return "stream from rank " + std::to_string(peer_) +
               (message.bytes == 0 ? "" : ", element " + std::to_string(piece(message).first));
    }

  private:
    std::span<Element> data_;
    int peer_;
    Messages messages_;
    Messages::Iterator next_;
};

/// Fetch, then consume (Iancu and Strohmaier 2007): a single-pass range over the pieces of data
/// that arrive from another rank. While one piece is consumed the next ones travel, as many and as
/// large as `plan` says; see `Arrivals`. The other side is `feed` with the same plan.
///
/// `recorder`: a `Trace`, or nothing. Throws `std::invalid_argument` where the plan is for another
/// volume or cuts through elements.
///
///     for (auto piece : lapwing::stream<double>(source, plan)) consume(piece);
template <class Element, Transport T, Records Recorder = const NoTrace>
[[nodiscard]] auto stream(const Source<T, Element>& source, const Plan& plan,
                          Recorder& recorder = no_trace) {
    return Arrivals<T, StreamOrder<Element>, Recorder>(
        source.transport, plan, StreamOrder<Element>(source, plan.messages), recorder);
}

/// The same as a call: `consume(piece)` for each of these pieces.
template <class Element, Transport T, std::invocable<Piece<Element>> Consume,
          Records Recorder = const NoTrace>
void stream(const Source<T, Element>& source, const Plan& plan, Consume&& consume,
            Recorder& recorder = no_trace) {
    stream<Element>(source, plan, recorder).for_each(consume);
}

}  // namespace lapwing
