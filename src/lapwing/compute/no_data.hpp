#pragma once

#include <cstdlib>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// Whether a simulated program runs without data, as memory could not hold the arrays of all its
/// ranks. Computation and copies take simulated time only, and messages carry sizes alone. The
/// launcher says so by the environment variable LAPWING_NO_DATA.
inline bool no_data() {
    if constexpr (!simulated_time) return false;
    static const bool said = std::getenv("LAPWING_NO_DATA") != nullptr;
    return said;
}

}  // namespace lapwing
