#pragma once

#include <limits>
#include <vector>

#include "lapwing/compute/chain.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// How fast this rank's processor is clocked. Clocks move by a tenth and more from one second to
/// the next, and all processor time moves with them. A chain of multiplications, timed beside a
/// measurement, tells how much. Samples are scaled to the fastest clock seen. From one calibration
/// to the next, that clock is the same to a tenth of a percent. The clock is a scale, no indicator
/// of the environment. It is 1 in simulated time.
class ClockSpeed {
  public:
    /// Reads the clock before and after what is timed.
    void begin();
    void end();

    /// Seconds of the chain around the last measurement.
    [[nodiscard]] double present() const { return present_; }
    /// The least seconds that the chain has taken.
    [[nodiscard]] double fastest() const { return seen_.empty() ? present_ : fastest_; }
    /// The usual speed over the fastest: 0 … 1.
    [[nodiscard]] double typical() const;
    /// The slowest speed over the fastest: 0 … 1.
    [[nodiscard]] double slowest() const;

  private:
    double time_chain();

    Chain chain_ = Chain(2000);  ///< some microseconds
    double present_ = 1;
    double fastest_ = simulated_time ? 1 : std::numeric_limits<double>::infinity();
    std::vector<double> seen_;
};

}  // namespace lapwing
