#pragma once

#include <array>
#include <string>
#include <utility>

#include "lapwing/calibrate/parts/loggp.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/sampler.hpp"
#include "lapwing/profile/pair_costs.hpp"

namespace lapwing {

/// Measures one more pair of ranks as the main one is measured, with fewer sizes: LogGP, half round
/// trip and the bandwidth of a flood one way. Both ranks call it; rank 0 of the pair has the
/// result. `seconds`: for all of it, about.
template <Transport T>
PairCosts measure_pair_costs(TransportPair<T>& pair, std::string name, std::array<int, 2> ranks,
                             const SamplingGoal& goal, double seconds, NoiseCounts& noise) {
    CalibrationOptions options = CalibrationOptions::loggp();
    options.goal = goal;
    options.sizes = {8, 1024, 8192, 65536, 1048576};
    options.longest = 5e-3;
    options.seconds = seconds;
    Calibration calibration(pair, options);
    const Profile profile = calibration.run();
    noise += calibration.noise();

    PairCosts costs;
    costs.name = std::move(name);
    costs.ranks = {ranks[0], ranks[1]};
    costs.loggp = profile.loggp;
    costs.error = profile.error;
    costs.sizes = profile.bandwidth.sizes;
    costs.bandwidth = profile.bandwidth.unidirectional;
    for (const auto& trip : calibration.half_round_trips())
        costs.half_round_trip.push_back(trip.median);
    return costs;
}

}  // namespace lapwing
