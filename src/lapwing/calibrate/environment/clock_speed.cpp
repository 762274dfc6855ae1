#include "lapwing/calibrate/environment/clock_speed.hpp"

#include <algorithm>

#include "lapwing/calibrate/environment/minimum_time.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

void ClockSpeed::begin() { present_ = time_chain(); }

void ClockSpeed::end() {
    present_ = (present_ + time_chain()) / 2;
    seen_.push_back(present_);
}

double ClockSpeed::typical() const {
    if (seen_.empty()) return 1;
    std::vector<double> all = seen_;
    return std::min(1.0, fastest_ / median(all));
}

double ClockSpeed::slowest() const {
    return seen_.empty() ? 1 : fastest_ / *std::max_element(seen_.begin(), seen_.end());
}

double ClockSpeed::time_chain() {
    if constexpr (simulated_time) return 1;
    constexpr int tries = 4;
    const double least = minimum_time(tries, [&] { chain_.run(); });
    fastest_ = std::min(fastest_, least);
    return least;
}

}  // namespace lapwing
