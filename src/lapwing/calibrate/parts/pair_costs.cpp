#include "lapwing/calibrate/parts/pair_costs.hpp"

#include <utility>

#include "lapwing/calibrate/parts/loggp.hpp"

namespace lapwing {

PairCosts measure_pair_costs(Context& context, std::string name, std::array<int, 2> ranks) {
    LogGPOptions options = LogGPOptions::parameters();
    options.sizes = {8, 1024, 8192, 65536, 1048576};
    Profile profile;
    const auto trips = measure_loggp(context, options, profile);

    PairCosts costs;
    costs.name = std::move(name);
    costs.ranks = {ranks[0], ranks[1]};
    costs.loggp = profile.loggp;
    costs.error = profile.error;
    costs.sizes = profile.bandwidth.sizes;
    costs.bandwidth = profile.bandwidth.unidirectional;
    for (const auto& trip : trips) costs.half_round_trip.push_back(trip.median);
    return costs;
}

}  // namespace lapwing
