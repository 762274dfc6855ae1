#include "lapwing/calibrate/environment/environment_monitor.hpp"

#include <algorithm>
#include <utility>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing {

Environment EnvironmentMonitor::read() {
    Environment here;
    for (const EnvironmentProbe& probe : probes_)
        if (const double seconds = probe.read(pair_); seconds > 0)
            here.indicators.push_back({probe.name, seconds, probe.tolerance});
    return here;
}

Environment EnvironmentMonitor::take_counted() {
    return quantile(std::exchange(counted_, {}), 0.75);
}

double EnvironmentMonitor::wait_budget() const { return simulated_time ? 0 : wait_budget_; }

void EnvironmentMonitor::spend_wait(double seconds) {
    wait_budget_ = std::max(0.0, wait_budget_ - seconds);
}

bool EnvironmentMonitor::is_comparable(const Environment& wanted) {
    return pair_.from_first(comparable(read(), wanted) ? 1 : 0) != 0;
}

bool EnvironmentMonitor::wait_for(const Environment& wanted) {
    constexpr double pause = 10e-3;  // seconds between two readings
    while (wait_budget() > 0) {
        if (is_comparable(wanted)) return true;
        const double start = now();
        wait_until(start + pause);
        spend_wait(pair_.from_first(now() - start));
    }
    return false;
}

}  // namespace lapwing
