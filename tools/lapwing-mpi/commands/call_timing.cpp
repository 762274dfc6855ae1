#include "commands/call_timing.hpp"

#include <algorithm>
#include <limits>

#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing::tools {
namespace {

/// An operation that is ready to be called, and a common start.
class TimedCalls {
  public:
    TimedCalls(const CallChoice& choice, MPI_Comm ranks) : call_(choice, ranks), start_(ranks) {}

    /// Mean seconds of `repetitions` calls, one after another.
    double sample(int repetitions) {
        const auto timed = [&] {
            for (int i = 0; i < repetitions; ++i) call_();
        };
        const double seconds =
            simulated_time ? start_.time(timed) : start_.time(timed, [this] { call_(); });
        return seconds / repetitions / call_.trips();
    }
    /// How many calls a sample has. A collective, which a program waits for, is timed alone, after
    /// one that warms up; messages there and back follow each other, as in the calibration.
    int repetitions() {
        constexpr double long_enough = 2e-3;  // seconds of a sample
        const bool back_and_forth = call_.trips() > 1;
        double once = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 3; ++i) once = std::min(once, sample(back_and_forth ? 8 : 1));
        if (!back_and_forth) return 1;
        return static_cast<int>(std::clamp(long_enough / std::max(once, 1e-9), 2.0, 1000.0));
    }
    /// The longest of all ranks' `seconds`.
    double latest(double seconds) { return start_.latest(seconds); }

  private:
    CollectiveCall call_;
    TimedStart start_;
};

}  // namespace

void CallTiming::visit(MPI_Comm ranks, WantedEnvironment& environment, double accuracy,
                       double budget) {
    TimedCalls calls(choice_, ranks);
    if (simulated_time) {
        // Every call takes the same time but the first, in which some algorithms find out who
        // shares a node.
        calls.sample(1);
        samples_ = {calls.sample(1)};
        done_ = true;
        return;
    }
    constexpr double most_away = 50e-3;  // seconds before something else is timed
    const int repetitions = calls.repetitions();
    double away = 0;  // seconds in another environment
    while (!done_ && (away < most_away || elsewhere_.size() < fewest)) {
        const double start = now();
        const bool before = environment.is_here();
        const double seconds = calls.sample(repetitions);
        const bool there = environment.is_here() && before;
        (there ? samples_ : elsewhere_).push_back(seconds);
        // Samples are the same on all ranks, the time spent is not.
        (there ? spent_ : away) += calls.latest(now() - start);
        done_ =
            samples_.size() >= fewest && (spent_ >= budget || estimate(samples_).error <= accuracy);
    }
    environment.spend_wait(away);
}

const std::vector<double>& CallTiming::samples() const {
    constexpr std::size_t few = 3;
    return comparable() || samples_.size() >= few ? samples_ : elsewhere_;
}

}  // namespace lapwing::tools
