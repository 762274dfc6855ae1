#include "lapwing/calibrate/environment/scheduler_wait.hpp"

#include <fstream>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

SchedulerWait::SchedulerWait() { std::ifstream("/proc/thread-self/schedstat") >> ran_ >> waited_; }

double SchedulerWait::share() const {
    const SchedulerWait now;
    const double waited = now.waited_ - waited_;
    const double all = waited + now.ran_ - ran_;
    return simulated_time || all <= 0 ? 0 : waited / all;
}

}  // namespace lapwing
