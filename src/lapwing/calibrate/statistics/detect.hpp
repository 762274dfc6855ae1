#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

/// The hardware queue depth HD from the time each message of a burst took to initiate (Iancu 2.1,
/// figure 2): the number of messages that were initiated before initiation began to wait for
/// earlier ones to finish. None where that does not happen within the burst.
///
/// Waiting shows as a lasting change: from there on the typical message takes at least `factor`
/// times what it took before, the last eighth of the burst included. One slow message is none.
inline std::optional<int> detect_queue_depth(std::span<const double> initiation,
                                             double factor = 2) {
    constexpr std::size_t least = 4;  // too few before or behind a knee prove nothing
    const std::size_t n = initiation.size();
    if (n < 2 * least) return std::nullopt;
    const auto middle = [&](std::size_t from, std::size_t to) {
        std::vector<double> part(initiation.begin() + static_cast<std::ptrdiff_t>(from),
                                 initiation.begin() + static_cast<std::ptrdiff_t>(to));
        return median(part);
    };
    const double end = middle(n - std::max(least, n / 8), n);
    // The first message may pay for waking up; it is no measure of the others.
    for (std::size_t k = least; k + least <= n; ++k) {
        const double before = middle(1, k);
        // Neither this message alone nor the typical one of those next to it.
        if (initiation[k] < factor * before || middle(k, k + least) < factor * before) continue;
        if (middle(k, n) >= factor * before && end >= factor * before) return static_cast<int>(k);
    }
    return std::nullopt;
}

}  // namespace lapwing
