#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Cuts a volume into messages whose sizes are given as real numbers. Each ends at the running sum
/// of the sizes, rounded to the grain, so no error adds up. None is shorter than a grain, and the
/// last takes the rest.
class MessageCutter {
  public:
    MessageCutter(std::uint64_t volume, std::uint64_t grain)
        : volume_(volume), per_grain_(1 / static_cast<double>(grain)), messages_(grain) {}

    /// One message of about `size` bytes.
    void append(double size) {
        sum_ += size;
        const std::uint64_t end =
            whole_grains(std::min(sum_, static_cast<double>(volume_))) * messages_.grain();
        const std::uint64_t start = messages_.volume();
        messages_.append(std::min(std::max(end, start + messages_.grain()), volume_) - start);
    }
    /// `bytes` in all, in `count >= 1` messages that are as equal as the grain lets them be, the
    /// smaller ones first if `growing`.
    void append_equal(double bytes, std::uint64_t count, bool growing) {
        sum_ += bytes;
        const std::uint64_t grain = messages_.grain();
        const std::uint64_t start = messages_.volume() / grain;
        const std::uint64_t end = std::min(whole_grains(sum_), volume_ / grain);
        const std::uint64_t grains = std::max(end, start) - start;
        const std::uint64_t each = grains / count;
        const std::uint64_t larger = grains % count;
        if (growing) messages_.append(each * grain, count - larger);
        messages_.append((each + 1) * grain, larger);
        if (!growing) messages_.append(each * grain, count - larger);
    }
    /// The messages, with what is left of the volume in the last.
    Messages finish() {
        messages_.extend_last(volume_ - messages_.volume());
        return std::move(messages_);
    }

  private:
    /// Nearest number of grains. The planner does this for each message of each candidate;
    /// `std::round` would take most of its time.
    [[nodiscard]] std::uint64_t whole_grains(double bytes) const {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        return static_cast<std::uint64_t>(bytes * per_grain_ + 0.5);
    }

    std::uint64_t volume_;
    double per_grain_;
    double sum_ = 0;
    Messages messages_;
};

}  // namespace lapwing
