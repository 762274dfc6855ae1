#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Measures the bandwidth of the last size before each of `switches` and of the first after it,
/// bytes, and puts them into `profile.bandwidth`. Otherwise a rate that changes between two sizes
/// of that table would leave no trace. Both ranks call it; the result is rank 0's.
void measure_at_switches(Context& context, const std::vector<std::uint64_t>& switches,
                         Profile& profile);

}  // namespace lapwing
