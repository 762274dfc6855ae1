#pragma once

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace lapwing {

/// Sizes between which the time of a message is no straight line: it jumps where an MPI begins to
/// send another way, or a packet more is needed, and bends where a wire's bucket is empty. Where
/// the line misses what is half-way by more than a share of it, that size is added, and both halves
/// are looked into, once more.
///
/// `sizes`: bytes, increasing. `unit`: what added ones are multiples of, bytes. `seconds(size)`:
/// what a message takes; those beyond the first that takes more than `longest` are not asked for.
template <class Seconds>
[[nodiscard]] std::vector<std::uint64_t> refine_where_nonlinear(
    const std::vector<std::uint64_t>& sizes, std::uint64_t unit, double longest, Seconds&& seconds,
    double share = 0.05) {
    using Timed = std::pair<std::uint64_t, double>;
    constexpr int halvings = 2;
    std::vector<std::uint64_t> all;
    const auto look_between = [&](const auto& again, const Timed& low, const Timed& high,
                                  int left) -> void {
        const auto middle = (low.first + high.first) / 2 / unit * unit;
        if (left == 0 || middle <= low.first) return;
        const double along =
            static_cast<double>(middle - low.first) / static_cast<double>(high.first - low.first);
        const double line = low.second + along * (high.second - low.second);
        const Timed between{middle, seconds(middle)};
        if (std::abs(between.second - line) <= share * line) return;
        again(again, low, between, left - 1);
        all.push_back(middle);
        again(again, between, high, left - 1);
    };
    Timed last;
    bool asking = true;
    for (const auto size : sizes) {
        if (asking) {
            const Timed next{size, seconds(size)};
            asking = next.second <= longest;
            if (asking && !all.empty()) look_between(look_between, last, next, halvings);
            last = next;
        }
        all.push_back(size);
    }
    return all;
}

}  // namespace lapwing
