#include "lapwing/plan/measured_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapwing/profile/table.hpp"

namespace lapwing {

bool straight_between_sizes(const Profile& profile, double most) {
    constexpr double tolerance = 0.1;
    const auto& sizes = profile.bandwidth.sizes;
    const auto& rates = profile.bandwidth.unidirectional;
    const auto& loggp = profile.loggp;
    const double overhead = std::max(loggp.o_s, loggp.o_r);
    const auto takes = [&](std::size_t i) { return static_cast<double>(sizes[i]) / rates[i]; };
    for (std::size_t i = 1; i + 1 < sizes.size(); ++i) {
        if (static_cast<double>(sizes[i]) > most) break;
        const auto before = static_cast<double>(sizes[i - 1]);
        if (!is_wire_bound(loggp.G, before, overhead)) continue;
        if (rates[i - 1] <= 0 || rates[i] <= 0 || rates[i + 1] <= 0) continue;
        const double share =
            (static_cast<double>(sizes[i]) - before) / (static_cast<double>(sizes[i + 1]) - before);
        const double line = std::lerp(takes(i - 1), takes(i + 1), share);
        if (std::abs(takes(i) - line) > tolerance * takes(i)) return false;
    }
    return true;
}

std::vector<std::uint64_t> measured_sizes(const std::vector<std::uint64_t>& sizes,
                                          std::uint64_t most, std::uint64_t grain,
                                          std::size_t count) {
    std::vector<std::uint64_t> found;
    for (auto size = sizes.rbegin(); size != sizes.rend() && found.size() < count; ++size) {
        const std::uint64_t whole = *size / grain * grain;
        if (whole == 0 || whole > most || (!found.empty() && whole == found.back())) continue;
        found.push_back(whole);
    }
    return found;
}

}  // namespace lapwing
