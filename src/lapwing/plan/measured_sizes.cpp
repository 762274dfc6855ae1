#include "lapwing/plan/measured_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapwing/profile/table.hpp"

namespace lapwing {

bool straight_between_sizes(const Profile& profile) {
    constexpr double tolerance = 0.1;
    const auto& sizes = profile.bandwidth.sizes;
    const auto& rates = profile.bandwidth.unidirectional;
    const auto& loggp = profile.loggp;
    const double overhead = std::max(loggp.o_s, loggp.o_r);
    const auto takes = [&](std::size_t i) { return static_cast<double>(sizes[i]) / rates[i]; };
    for (std::size_t i = 1; i + 1 < sizes.size(); ++i) {
        const auto before = static_cast<double>(sizes[i - 1]);
        if (!paced_by_wire(loggp.G, before, overhead)) continue;
        if (rates[i - 1] <= 0 || rates[i] <= 0 || rates[i + 1] <= 0) continue;
        const double share =
            (static_cast<double>(sizes[i]) - before) / (static_cast<double>(sizes[i + 1]) - before);
        const double line = std::lerp(takes(i - 1), takes(i + 1), share);
        if (std::abs(takes(i) - line) > tolerance * takes(i)) return false;
    }
    return true;
}

std::uint64_t measured_size(const Profile& profile, std::uint64_t size) {
    const auto& sizes = profile.bandwidth.sizes;
    const auto above = std::upper_bound(sizes.begin(), sizes.end(), size);
    return above == sizes.begin() || *(above - 1) == 0 ? size : *(above - 1);
}

}  // namespace lapwing
