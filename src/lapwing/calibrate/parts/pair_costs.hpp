#pragma once

#include <array>
#include <string>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/pair_costs.hpp"

namespace lapwing {

/// Measures one more pair of ranks as the main pair is measured, with fewer sizes: LogGP, half
/// round trips and the bandwidth of a flood one way. Both ranks call it; the result is rank 0's of
/// the pair. `name` and `ranks`: as the profile names them.
PairCosts measure_pair_costs(Context& context, std::string name, std::array<int, 2> ranks);

}  // namespace lapwing
