#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "lapwing/calibrate/environment/minimum_time.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/chain.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// How fast this processor runs at the moment. Clocks move in steps, by a tenth and more from one
/// second to the next, and all that a processor does moves with them: what one calibration takes
/// for an overhead, the next would not find again. A chain of multiplications timed beside a
/// measurement tells what that would have taken at another clock. The fastest that is seen is the
/// same from one calibration to the next, to a tenth of a percent. In simulated time processors
/// have one pace.
class ClockSpeed {
  public:
    /// Before and after what is timed.
    void begin() { present_ = chain(); }
    void end() {
        present_ = (present_ + chain()) / 2;
        seen_.push_back(present_);
    }

    /// Seconds the chain took around what was timed last.
    [[nodiscard]] double present() const { return present_; }
    /// The least seconds it has taken.
    [[nodiscard]] double fastest() const { return seen_.empty() ? present_ : fastest_; }
    /// The usual speed over the fastest: 0 … 1.
    [[nodiscard]] double typical() const {
        if (seen_.empty()) return 1;
        std::vector<double> all = seen_;
        return std::min(1.0, fastest_ / median(all));
    }

    /// The slowest speed over the fastest.
    [[nodiscard]] double slowest() const {
        return seen_.empty() ? 1 : fastest_ / *std::max_element(seen_.begin(), seen_.end());
    }

  private:
    double chain() {
        if constexpr (simulated_time) return 1;
        const double least = minimum_time(tries, [&] { chain_.run(); });
        fastest_ = std::min(fastest_, least);
        return least;
    }

    static constexpr int tries = 4;

    Chain chain_ = Chain(2000);  ///< some microseconds
    double present_ = 1;
    double fastest_ = simulated_time ? 1 : std::numeric_limits<double>::infinity();
    std::vector<double> seen_;
};

}  // namespace lapwing
