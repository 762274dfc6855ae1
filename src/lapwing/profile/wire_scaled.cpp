#include "lapwing/profile/wire_scaled.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

void multiply(std::vector<double>& values, double factor) {
    for (double& value : values) value *= factor;
}

/// Multiplies `trip`, the seconds of a message of `size` bytes, except for its overheads.
double scaled(double trip, double size, const Profile& profile, double factor) {
    const double overhead =
        std::min(trip, send_overhead(profile, size, 1) + receive_overhead(profile, size));
    return overhead + (trip - overhead) * factor;
}

}  // namespace

Profile with_wire_scaled(Profile profile, double factor) {
    const auto scale = [&](LogGP& costs) {
        costs.L *= factor;
        costs.G *= factor;
    };
    scale(profile.loggp);
    multiply(profile.bandwidth.unidirectional, 1 / factor);
    multiply(profile.bandwidth.bidirectional, 1 / factor);
    if (profile.latency) {
        auto& trips = profile.latency->half_round_trip;
        for (std::size_t i = 0; i < trips.size(); ++i) {
            const auto size = static_cast<double>(profile.latency->sizes[i]);
            trips[i] = scaled(trips[i], size, profile, factor);
        }
        multiply(profile.latency->bandwidth, 1 / factor);
    }
    if (profile.topology) {
        constexpr double shortest = 8;  // bytes
        for (double* trip : {&profile.topology->near, &profile.topology->far})
            *trip = scaled(*trip, shortest, profile, factor);
    }
    for (auto& pattern : profile.patterns) {
        for (auto& row : pattern.slowest) multiply(row, factor);
        for (auto& row : pattern.fastest) multiply(row, factor);
    }
    return profile;
}

}  // namespace lapwing
