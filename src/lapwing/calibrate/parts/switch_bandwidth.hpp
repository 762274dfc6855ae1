#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Measures the bandwidth of the last size before each of `switches` and of the first after it,
/// bytes, and puts them into `profile.bandwidth`: between the sizes of that table a rate that
/// changes leaves no trace. Both ranks call it; the result is rank 0's.
void measure_at_switches(Context& context, const std::vector<std::uint64_t>& switches,
                         Profile& profile);

}  // namespace lapwing
