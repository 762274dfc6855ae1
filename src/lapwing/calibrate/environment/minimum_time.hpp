#pragma once

#include <algorithm>
#include <limits>

#include "lapwing/compute/clock.hpp"

namespace lapwing {

/// Seconds that `action` takes: the least of `tries`, for an interrupt seldom meets all of them.
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
