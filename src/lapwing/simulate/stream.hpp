#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/stream.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/timings.hpp"

namespace lapwing::simulate {

/// Plays a stream message by message on a serialising network interface: the sender issues, the
/// wire carries in order, the receiver takes up and consumes. One rank pair, receives posted ahead.
class StreamPlay {
  public:
    explicit StreamPlay(const model::Stream& costs) : costs_(costs) {}
    /// `flood`: what a message takes among others of its size, in place of `h + G S`; not so where
    /// it is empty. It has to outlive this.
    StreamPlay(const model::Stream& costs, const Timings& flood) : costs_(costs) {
        if (!flood.sizes.empty()) flood_ = &flood;
    }

    /// The next message, `size` bytes.
    void message(double size) {
        issued_ += costs_.o_s(size);
        arrived_ = std::max(issued_ + costs_.L, arrived_) + wire(size);
        consumed_ = std::max(consumed_, arrived_) + take(size);
    }

    /// The next two messages, of which the second, `by` bytes, is sent after the first, `size`
    /// bytes, and comes before it.
    void overtaken(double size, double by) {
        issued_ += costs_.o_s(size) + costs_.o_s(by);
        arrived_ = std::max(issued_ + costs_.L, arrived_) + wire(by) + wire(size);
        consumed_ = std::max(consumed_, arrived_) + take(size) + take(by);
    }

    /// `count` more messages, `size` bytes each, in constant time and as exact as one by one.
    void messages(double size, double count) {
        if (count < 1) return;
        message(size);
        const double more = count - 1;
        const double issue = costs_.o_s(size);
        const double pace = wire(size);
        if (more < 1) return;
        const double start = std::max(issued_ + issue + costs_.L, arrived_);
        const auto arrival = [&, issued = issued_](double j) {
            return std::max(start + j * pace, issued + j * issue + costs_.L + pace);
        };
        // Arrivals are convex in j, so the receiver waits longest at the first or at the last.
        consumed_ = std::max({consumed_ + more * take(size), arrival(1) + more * take(size),
                              arrival(more) + take(size)});
        arrived_ = arrival(more);
        issued_ += more * issue;
    }

    /// When the receiver has consumed all messages so far, seconds from the first issue.
    [[nodiscard]] double consumed() const { return consumed_; }
    /// When the last message so far has arrived, seconds.
    [[nodiscard]] double arrived() const { return arrived_; }
    /// When the sender has issued all messages so far, seconds.
    [[nodiscard]] double issued() const { return issued_; }

  private:
    [[nodiscard]] double take(double size) const { return costs_.o_r(size) + costs_.t * size; }
    [[nodiscard]] double wire(double size) const {
        return flood_ != nullptr ? extrapolate(flood_->sizes, flood_->seconds, size)
                                 : costs_.h + costs_.G * size;
    }

    model::Stream costs_;
    const Timings* flood_ = nullptr;
    double issued_ = 0;
    double arrived_ = 0;
    double consumed_ = 0;
};

/// Seconds until the last of the messages is consumed. `Sizes` is any range of message sizes in
/// bytes.
template <class Sizes>
[[nodiscard]] double stream(const model::Stream& costs, const Sizes& sizes) {
    StreamPlay play(costs);
    for (const auto size : sizes) play.message(static_cast<double>(size));
    return play.consumed();
}

}  // namespace lapwing::simulate
