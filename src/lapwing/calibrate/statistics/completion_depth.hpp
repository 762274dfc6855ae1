#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// The messages outstanding past which *completion* slows down: a queue that initiation hides. From
/// there on each message more takes at least `factor` times what each took before, the last ones
/// included. None where that does not happen.
///
/// `bursts`: messages initiated at once, increasing. `times`: seconds until all of a burst were
/// complete.
inline std::optional<int> detect_completion_depth(std::span<const int> bursts,
                                                  std::span<const double> times,
                                                  double factor = 2) {
    constexpr std::size_t least = 2;  // too few before or behind a knee prove nothing
    std::vector<double> each;
    for (std::size_t i = 1; i < bursts.size(); ++i)
        each.push_back((times[i] - times[i - 1]) / (bursts[i] - bursts[i - 1]));
    const auto middle = [&](std::size_t from, std::size_t to) {
        std::vector<double> part(each.begin() + static_cast<std::ptrdiff_t>(from),
                                 each.begin() + static_cast<std::ptrdiff_t>(to));
        return median(part);
    };
    for (std::size_t k = least; k + least <= each.size(); ++k) {
        // What a burst takes in any case bounds what its messages can be said to have taken.
        const double before = std::max(middle(0, k), times[k] / bursts[k] / 4);
        if (each[k] >= factor * before && middle(k, each.size()) >= factor * before &&
            middle(each.size() - least, each.size()) >= factor * before)
            return bursts[k];
    }
    return std::nullopt;
}

}  // namespace lapwing
