#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/plan/plan.hpp"
#include "trials/grid_point.hpp"

namespace lapwing::tools {

/// A workload that can be run in several ways. Each must give the same result, to the bit. All
/// ranks that take part call the functions together and get the same seconds: from a common start
/// until the last rank is done.
class Trial {
  public:
    Trial() = default;
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;
    virtual ~Trial() = default;

    /// Whether this is the rank that reports.
    [[nodiscard]] virtual bool first() const = 0;
    /// Every uniform way to run it, messages of at least `smallest` bytes.
    [[nodiscard]] virtual std::vector<GridPoint> grid(std::uint64_t smallest) const = 0;

    /// All communication in one, and all computation.
    virtual double blocking() = 0;
    virtual double uniform(const GridPoint& point) = 0;
    virtual double planned(const Plan& plan) = 0;
    /// The computation alone, on data that is there.
    virtual double computation() = 0;
    /// Computation from now on, seconds in all of each rank that computes.
    virtual void set_computation(double seconds) = 0;
};

}  // namespace lapwing::tools
