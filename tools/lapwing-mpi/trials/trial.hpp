#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/plan/plan.hpp"
#include "trials/grid_point.hpp"

namespace lapwing::tools {

/// A workload that can be run in several ways, each with the same result, to the bit. All ranks
/// that take part call its functions together. Times are in seconds, from a common start until the
/// last rank is done, and the same on all ranks.
class Trial {
  public:
    Trial() = default;
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;
    virtual ~Trial() = default;

    /// Whether this is the rank that reports.
    [[nodiscard]] virtual bool first() const = 0;
    /// Every uniform way to run it with messages of at least `smallest` bytes.
    [[nodiscard]] virtual std::vector<GridPoint> grid(std::uint64_t smallest) const = 0;

    /// Whether a rank receives in bursts and consumes them, so that any schedule of the paper's
    /// figure 6 can be run; otherwise E alone, or none.
    [[nodiscard]] virtual bool has_schedules() const { return false; }

    /// Times all communication in one, and then all computation, or the other way round.
    virtual double blocking() = 0;
    /// Times a uniform way.
    virtual double uniform(const GridPoint& point) = 0;
    /// Times it as planned.
    virtual double planned(const Plan& plan) = 0;
    /// Times the computation alone, on data that is already there.
    virtual double computation() = 0;
    /// Sets how much is computed from now on: `seconds` in all on each rank that computes.
    virtual void set_computation(double seconds) = 0;
};

}  // namespace lapwing::tools
