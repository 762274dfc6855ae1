#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Cuts a volume into messages whose sizes are given as real numbers. Each ends at the running sum
/// of the sizes rounded to the grain, so that no error adds up; none is shorter than a grain, and
/// the last takes what remains.
class MessageCutter {
  public:
    MessageCutter(std::uint64_t volume, std::uint64_t grain)
        : volume_(volume),
          grain_(grain),
          per_grain_(1 / static_cast<double>(grain)),
          messages_(grain) {}

    /// One message of about `size` bytes.
    void append(double size) {
        sum_ += size;
        const std::uint64_t grains = whole_grains(std::min(sum_, static_cast<double>(volume_)));
        take(std::max(grains * grain_, offset_ + grain_));
    }
    /// `bytes` in all, in `count >= 1` messages that are as equal as the grain lets them be, the
    /// smaller ones first if `growing`.
    void append_equal(double bytes, std::uint64_t count, bool growing) {
        sum_ += bytes;
        const std::uint64_t wanted = whole_grains(sum_);
        const std::uint64_t end = std::max(std::min(wanted, volume_ / grain_) * grain_, offset_);
        const std::uint64_t grains = (end - offset_) / grain_;
        const std::uint64_t each = grains / count;
        const std::uint64_t larger = grains % count;
        const std::uint64_t smaller = each > 0 ? count - larger : 0;
        if (growing) messages_.append(each * grain_, smaller);
        messages_.append((each + 1) * grain_, larger);
        if (!growing) messages_.append(each * grain_, smaller);
        offset_ += grains * grain_;
    }
    /// The messages, with what is left of the volume in the last.
    Messages finish() {
        messages_.extend_last(volume_ - offset_);
        return std::move(messages_);
    }

  private:
    /// Nearest number of grains. The planner does this for each message of each candidate;
    /// `std::round` would take most of its time.
    [[nodiscard]] std::uint64_t whole_grains(double bytes) const {
        // NOLINTNEXTLINE(bugprone-incorrect-roundings)
        return static_cast<std::uint64_t>(bytes * per_grain_ + 0.5);
    }
    void take(std::uint64_t stop) {
        stop = std::min(stop, volume_);
        if (stop <= offset_) return;
        messages_.append(stop - offset_);
        offset_ = stop;
    }

    std::uint64_t volume_;
    std::uint64_t grain_;
    double per_grain_;
    std::uint64_t offset_ = 0;
    double sum_ = 0;
    Messages messages_;
};

}  // namespace lapwing
