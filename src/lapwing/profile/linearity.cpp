#include "lapwing/profile/linearity.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapwing/profile/table.hpp"

namespace lapwing {

/// Measurements further from a line than this share are not on it.
constexpr double tolerance = 0.1;

bool is_piecewise_linear(const LinkCosts& link, double most) {
    const auto& sizes = link.bandwidth.sizes;
    const auto& rates = link.bandwidth.unidirectional;
    const double overhead = std::max(link.loggp.o_s, link.loggp.o_r);
    const auto bytes = [&](std::size_t i) { return static_cast<double>(sizes[i]); };
    const auto seconds = [&](std::size_t i) { return bytes(i) / rates[i]; };
    for (std::size_t i = 1; i + 1 < sizes.size() && bytes(i) <= most; ++i) {
        if (!is_wire_bound(link.loggp.G, bytes(i - 1), overhead)) continue;
        if (rates[i - 1] <= 0 || rates[i] <= 0 || rates[i + 1] <= 0) continue;
        const double share = (bytes(i) - bytes(i - 1)) / (bytes(i + 1) - bytes(i - 1));
        const double line = std::lerp(seconds(i - 1), seconds(i + 1), share);
        if (std::abs(seconds(i) - line) > tolerance * seconds(i)) return false;
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
        double G = loggp.G;
        // Shorter messages' floods are paced by the processors.
        if (is_wire_bound(G, size, std::max(loggp.o_s, loggp.o_r)))
            G = std::max(G, gap_per_byte(link, size));
        const double told =
            loggp.o_s + L + G * size + loggp.o_r + rendezvous_cost(link.protocol, table.sizes[i]);
        if (told < (1 - tolerance) * table.half_round_trip[i]) return false;
    }
    return true;
}

}  // namespace lapwing
