#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace lapwing {

/// The bytes outstanding past which bandwidth drops for good (Iancu 3.2: 4 MB on Elan): the largest
/// of `volumes` (bytes, increasing) that still reaches its best, where all that follow stay below
/// `1 - drop` of that. None where they do not, and where fewer than two follow: one slow flood
/// proves nothing. Nor does one fast flood: the best is the second of all. `bandwidths`: bytes a
/// second, one for each volume.
inline std::optional<std::uint64_t> detect_outstanding_limit(std::span<const std::uint64_t> volumes,
                                                             std::span<const double> bandwidths,
                                                             double drop = 0.15) {
    constexpr std::size_t least = 2;
    if (volumes.size() < least + 2) return std::nullopt;
    std::vector<double> sorted(bandwidths.begin(), bandwidths.end());
    std::nth_element(sorted.begin(), sorted.begin() + 1, sorted.end(), std::greater<>());
    const double bound = (1 - drop) * sorted[1];
    std::size_t last = volumes.size();
    while (last > 0 && bandwidths[last - 1] < bound) --last;
    if (last == 0 || volumes.size() - last < least) return std::nullopt;
    return volumes[last - 1];
}

}  // namespace lapwing
