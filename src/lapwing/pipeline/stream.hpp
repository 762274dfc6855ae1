#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <stdexcept>

#include "lapwing/pipeline/flight.hpp"
#include "lapwing/pipeline/tag.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Where a stream comes from and goes to: `feed` on rank `peer`, into `data`.
template <Transport T, class Element>
struct Source {
    T& transport;
    int peer;
    std::span<Element> data;  ///< room for all of it
};

template <Transport T, class Element>
Source(T&, int, std::span<Element>) -> Source<T, Element>;

/// A part of a stream that has arrived.
template <class Element>
struct Piece {
    std::span<Element> data;  ///< the elements, in their place in the whole
    std::uint64_t first = 0;  ///< index of the first of them in the whole
};

/// A single-pass range over the pieces of data that arrive from another rank: the next ones travel
/// while the present one is consumed (template E with a window instead of bursts). Leaving the loop
/// early is safe: what is in flight is received.
///
///     for (auto piece : lapwing::stream<double>(source, plan)) consume(piece);
template <Transport T, class Element>
class Stream {
  public:
    Stream(const Source<T, Element>& source, const Plan& plan)
        : source_(source),
          messages_(plan.messages),
          initiate_(messages_.begin()),
          arrive_(messages_.begin()),
          flight_(plan.window, plan.poll_interval) {
        if (messages_.volume() != source.data.size_bytes())
            throw std::invalid_argument("stream: the plan's volume is not the size of the data");
        if (messages_.grain() % sizeof(Element) != 0)
            throw std::invalid_argument("stream: the plan's grain is not a multiple of an element");
        initiate();
    }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    /// Receives what is in flight. If that fails too there is nobody left to be told.
    ~Stream() {
        try {
            leave();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    class Iterator {
      public:
        using value_type = Piece<Element>;
        using difference_type = std::ptrdiff_t;

        explicit Iterator(Stream& stream) : stream_(&stream) {}
        Piece<Element> operator*() const { return stream_->piece(); }
        Iterator& operator++() {
            stream_->next();
            return *this;
        }
        void operator++(int) { ++*this; }
        bool operator==(std::default_sentinel_t) const {
            return stream_->arrive_ == Messages::End{};
        }

      private:
        Stream* stream_;
    };

    /// Waits for the first piece. Call it once.
    Iterator begin() {
        arrived();
        return Iterator(*this);
    }
    [[nodiscard]] std::default_sentinel_t end() const { return {}; }

  private:
    /// Fills the window.
    void initiate() {
        for (; !flight_.full() && !(initiate_ == Messages::End{}); ++initiate_) {
            auto* const place =
                reinterpret_cast<std::byte*>(source_.data.data()) + initiate_.offset();
            flight_.push(source_.transport.receive(place, *initiate_, source_.peer,
                                                   message_tag(initiate_.index())));
        }
    }
    void arrived() {
        if (arrive_ == Messages::End{}) return;
        flight_.wait_oldest();
        initiate();
    }
    void next() {
        ++arrive_;
        arrived();
    }
    [[nodiscard]] Piece<Element> piece() const {
        const std::uint64_t first = arrive_.offset() / sizeof(Element);
        return {source_.data.subspan(first, *arrive_ / sizeof(Element)), first};
    }
    /// The sender sends all there is, so all of it has to be received.
    void leave() {
        while (!flight_.empty()) {
            flight_.wait_oldest();
            initiate();
        }
    }

    Source<T, Element> source_;
    Messages messages_;
    Messages::Iterator initiate_;
    Messages::Iterator arrive_;
    Flight<typename T::Request> flight_;
};

/// The pieces of `source` as `plan` says. Throws `std::invalid_argument` where the plan is for
/// another volume or cuts through elements.
template <class Element, Transport T>
[[nodiscard]] Stream<T, Element> stream(const Source<T, Element>& source, const Plan& plan) {
    return Stream<T, Element>(source, plan);
}

}  // namespace lapwing
