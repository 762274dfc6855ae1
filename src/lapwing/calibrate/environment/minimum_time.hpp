#pragma once

#include <algorithm>
#include <limits>

#include "lapwing/compute/clock.hpp"

namespace lapwing {

/// Seconds that `action` takes, the least of some tries: what interrupts one does not interrupt
/// them all.
template <class Action>
double minimum_time(int tries, Action&& action) {
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < tries; ++i) {
        const double start = now();
        action();
        least = std::min(least, now() - start);
    }
    return least;
}

}  // namespace lapwing
