#include "lapwing/calibrate/statistics/excess.hpp"

#include <algorithm>

namespace lapwing {

double excess(const Estimate& longer, const Estimate& shorter) {
    constexpr double resolution = 1e-9;  // seconds
    const double more = longer.median - shorter.median;
    const double uncertain = longer.error * longer.median + shorter.error * shorter.median;
    return more > std::max(resolution, uncertain) ? more : 0;
}

}  // namespace lapwing
