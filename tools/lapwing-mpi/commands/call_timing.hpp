#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "lapwing/calibrate/benchmarks/collective_call.hpp"
#include "lapwing/calibrate/ranks/timed_start.hpp"
#include "support/wanted_environment.hpp"

namespace lapwing::tools {

/// Times one operation of one size on all ranks, which call its functions together; what is known
/// is the same on all of them.
class CallTiming {
  public:
    explicit CallTiming(CallChoice choice) : choice_(std::move(choice)) {}

    [[nodiscard]] const CallChoice& choice() const { return choice_; }
    /// Takes samples until the time is known to `accuracy`, a relative error, or `budget` seconds
    /// are spent on it. Returns earlier, for others to be timed first, while the environment is not
    /// comparable to the one asked for.
    void visit(MPI_Comm ranks, WantedEnvironment& environment, double accuracy, double budget);
    /// Whether no more samples are needed.
    [[nodiscard]] bool done() const { return done_; }

    /// Whether there are enough samples of the environment that was asked for.
    [[nodiscard]] bool comparable() const {
        return samples_.size() >= fewest || elsewhere_.empty();
    }
    /// The samples that count, in seconds: those of another environment if there are no others.
    [[nodiscard]] const std::vector<double>& samples() const;

  private:
    static constexpr std::size_t fewest = 9;  ///< samples on a real machine

    CallChoice choice_;
    std::vector<double> samples_;    ///< in the environment that was asked for
    std::vector<double> elsewhere_;  ///< in another one
    double spent_ = 0;               ///< seconds on `samples_`
    bool done_ = false;
};

}  // namespace lapwing::tools
