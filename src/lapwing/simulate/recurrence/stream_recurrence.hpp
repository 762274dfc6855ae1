#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/stream.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/costs/timings.hpp"

namespace lapwing::simulate {

/// When the messages of a stream leave, arrive and are consumed, by recurrence. There are one
/// sender, a wire that carries messages in order, and one receiver, which posts receives ahead.
class StreamRecurrence {
  public:
    explicit StreamRecurrence(const model::Stream& costs) : costs_(costs) {}
    /// `flood`: the time of a message on the wire among others of its size, instead of `h + G S`;
    /// `receive`: its receive overhead, instead of `o_r(S)`. Tables that are empty replace nothing.
    /// Both must outlive the recurrence.
    StreamRecurrence(const model::Stream& costs, const Timings& flood,
                     const Timings& receive = none)
        : costs_(costs) {
        if (!flood.sizes.empty()) flood_ = &flood;
        if (!receive.sizes.empty()) receive_ = &receive;
    }

    /// From now on the sender waits `per_byte` seconds for each byte of a message from its
    /// initiation to the next one.
    void set_pace(double per_byte) { pace_ = per_byte; }

    /// Adds a message of `size` bytes.
    void message(double size) {
        message(costs_.o_s(size), wire_time(size), consumption(size));
        issued_ += pause(size);
    }

    /// Adds two messages, of `size` and then of `by` bytes, of which the second overtakes the first
    /// on the wire.
    void overtaken(double size, double by) {
        issued_ += costs_.o_s(size) + pause(size) + costs_.o_s(by);
        arrived_ = std::max(issued_ + costs_.L, arrived_) + wire_time(by) + wire_time(size);
        consumed_ = std::max(consumed_, arrived_) + consumption(size) + consumption(by);
        issued_ += pause(by);
    }

    /// Adds `count` messages of `size` bytes each, in constant time, as exactly as one by one.
    void messages(double size, double count) {
        if (count < 1) return;
        const double wire = wire_time(size);
        const double consume = consumption(size);
        message(size);
        const double more = count - 1;
        if (more < 1) return;
        const double issue = costs_.o_s(size) + pause(size);
        const double first = issued_ + costs_.o_s(size) + costs_.L;
        const double start = std::max(first, arrived_);
        const auto arrival = [&](double j) {
            return std::max(start + j * wire, first + (j - 1) * issue + wire);
        };
        // Arrivals are convex in j, so the receiver waits longest at the first or at the last.
        consumed_ = std::max(
            {consumed_ + more * consume, arrival(1) + more * consume, arrival(more) + consume});
        arrived_ = arrival(more);
        issued_ += more * issue;
    }

    /// When the receiver has consumed all messages so far, in seconds from the first issue.
    [[nodiscard]] double consumed() const { return consumed_; }
    /// When the last message so far has arrived, seconds.
    [[nodiscard]] double arrived() const { return arrived_; }
    /// When the sender has issued all messages so far, and paused after the last, seconds.
    [[nodiscard]] double issued() const { return issued_; }

  private:
    void message(double issue, double wire, double consume) {
        issued_ += issue;
        arrived_ = std::max(issued_ + costs_.L, arrived_) + wire;
        consumed_ = std::max(consumed_, arrived_) + consume;
    }
    /// What a paced sender waits after the initiation of a message.
    [[nodiscard]] double pause(double size) const {
        return pace_ > 0 ? std::max(0.0, pace_ * size - costs_.o_s(size)) : 0;
    }
    [[nodiscard]] double consumption(double size) const {
        const double overhead = receive_ != nullptr
                                    ? extrapolate(receive_->sizes, receive_->seconds, size)
                                    : costs_.o_r(size);
        return overhead + costs_.t * size;
    }
    [[nodiscard]] double wire_time(double size) const {
        return flood_ != nullptr ? extrapolate(flood_->sizes, flood_->seconds, size)
                                 : costs_.h + costs_.G * size;
    }

    inline static const Timings none;

    model::Stream costs_;
    const Timings* flood_ = nullptr;
    const Timings* receive_ = nullptr;
    double pace_ = 0;
    double issued_ = 0;
    double arrived_ = 0;
    double consumed_ = 0;
};

/// Seconds until the last of the messages is consumed. `sizes`: any range of message sizes, bytes.
template <class Sizes>
[[nodiscard]] double stream_seconds(const model::Stream& costs, const Sizes& sizes) {
    StreamRecurrence recurrence(costs);
    for (const auto size : sizes) recurrence.message(static_cast<double>(size));
    return recurrence.consumed();
}

}  // namespace lapwing::simulate
