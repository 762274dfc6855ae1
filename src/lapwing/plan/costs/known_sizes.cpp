#include "lapwing/plan/costs/known_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapwing/plan/costs/progress_limits.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// Measurements further from a line than this share are not on it.
constexpr double tolerance = 0.1;

}  // namespace

bool is_piecewise_linear(const LinkCosts& link, double most) {
    const auto& sizes = link.bandwidth.sizes;
    const auto& rates = link.bandwidth.unidirectional;
    const auto& loggp = link.loggp;
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

bool latency_is_linear(const LinkCosts& link, double most) {
    if (!link.latency || link.latency->sizes.empty()) return true;
    const auto& loggp = link.loggp;
    const auto& table = *link.latency;
    // The table was measured at another time than the parameters: its shortest message says what
    // the latency was then.
    const double L = std::max(loggp.L, table.half_round_trip.front() - loggp.o_s - loggp.o_r -
                                           loggp.G * static_cast<double>(table.sizes.front()));
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const auto size = static_cast<double>(table.sizes[i]);
        if (size > most) break;
        // Shorter messages' floods are paced by the processors.
        const double G = is_wire_bound(loggp.G, size, std::max(loggp.o_s, loggp.o_r))
                             ? std::max(loggp.G, gap_per_byte(link, size))
                             : loggp.G;
        const double told =
            loggp.o_s + L + G * size + loggp.o_r + rendezvous_cost(link.protocol, table.sizes[i]);
        if (told < (1 - tolerance) * table.half_round_trip[i]) return false;
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
