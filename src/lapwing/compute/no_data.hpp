#pragma once

#include <cstdlib>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// Whether a program in simulated time moves sizes without content, because memory could not hold
/// the arrays of all its ranks: what is computed and copied is charged and not done, and messages
/// carry nothing. The launcher says so by the environment variable LAPWING_NO_DATA.
inline bool no_data() {
    if constexpr (!simulated_time) return false;
    static const bool said = std::getenv("LAPWING_NO_DATA") != nullptr;
    return said;
}

}  // namespace lapwing
