#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/stream.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/costs/timings.hpp"

namespace lapwing::simulate {

/// Plays a stream message by message on a serialising network interface: the sender issues, the
/// wire carries in order, the receiver takes up and consumes. One rank pair, receives posted ahead.
class StreamRecurrence {
  public:
    explicit StreamRecurrence(const model::Stream& costs) : costs_(costs) {}
    /// `flood`: what a message takes among others of its size, in place of `h + G S`; `taken_up`:
    /// what it takes the receiver, in place of `o_r(S)`; not so where they are empty. They have to
    /// outlive this.
    StreamRecurrence(const model::Stream& costs, const Timings& flood,
                     const Timings& taken_up = none)
        : costs_(costs) {
        if (!flood.sizes.empty()) flood_ = &flood;
        if (!taken_up.sizes.empty()) taken_up_ = &taken_up;
    }

    /// The next message, `size` bytes.
    void message(double size) { message(costs_.o_s(size), wire(size), take(size)); }

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
        const double issue = costs_.o_s(size);
        const double pace = wire(size);
        const double taking = take(size);
        message(issue, pace, taking);
        const double more = count - 1;
        if (more < 1) return;
        const double start = std::max(issued_ + issue + costs_.L, arrived_);
        const auto arrival = [&, issued = issued_](double j) {
            return std::max(start + j * pace, issued + j * issue + costs_.L + pace);
        };
        // Arrivals are convex in j, so the receiver waits longest at the first or at the last.
        consumed_ = std::max(
            {consumed_ + more * taking, arrival(1) + more * taking, arrival(more) + taking});
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
    void message(double issue, double pace, double taking) {
        issued_ += issue;
        arrived_ = std::max(issued_ + costs_.L, arrived_) + pace;
        consumed_ = std::max(consumed_, arrived_) + taking;
    }
    [[nodiscard]] double take(double size) const {
        const double overhead = taken_up_ != nullptr
                                    ? extrapolate(taken_up_->sizes, taken_up_->seconds, size)
                                    : costs_.o_r(size);
        return overhead + costs_.t * size;
    }
    [[nodiscard]] double wire(double size) const {
        return flood_ != nullptr ? extrapolate(flood_->sizes, flood_->seconds, size)
                                 : costs_.h + costs_.G * size;
    }

    inline static const Timings none;

    model::Stream costs_;
    const Timings* flood_ = nullptr;
    const Timings* taken_up_ = nullptr;
    double issued_ = 0;
    double arrived_ = 0;
    double consumed_ = 0;
};

/// Seconds until the last of the messages is consumed. `Sizes` is any range of message sizes in
/// bytes.
template <class Sizes>
[[nodiscard]] double stream_seconds(const model::Stream& costs, const Sizes& sizes) {
    StreamRecurrence play(costs);
    for (const auto size : sizes) play.message(static_cast<double>(size));
    return play.consumed();
}

}  // namespace lapwing::simulate
