#pragma once

#include <limits>
#include <optional>

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/link_costs.hpp"
#include "lapwing/profile/topology.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing {

/// What a simulated run took.
struct EngineResult {
    double seconds = 0;  ///< until the last rank ended; infinite where it was given up
    double cost = 0;     ///< that simulating it had, see `Engine::cost`
};

/// Simulates candidates: all ranks, event by event, with the contention among them.
class Engine {
  public:
    /// `link`: between two ranks, outlives this. `topology`: of the nodes; none: one switch.
    Engine(const LinkCosts& link, const std::optional<Topology>& topology);

    /// What it will take to simulate a candidate, in messages on links that nobody shares: those of
    /// all ranks, and more for each where the engine shares links out anew whenever a message comes
    /// or goes. Rather too low: how many of them meet is seen only when they are simulated.
    [[nodiscard]] double cost(const Workload& workload, const Candidate& candidate) const;
    /// Simulates a workload (complete), and gives up after a cost of `most`.
    [[nodiscard]] EngineResult run(const Workload& workload, const Candidate& candidate,
                                   double most = std::numeric_limits<double>::infinity()) const;

  private:
    Nic nic_;
    simulate::MeasuredMachine costs_;    ///< of messages, for the schedule
    simulate::MeasuredMachine machine_;  ///< the same without receive overheads, which the schedule
                                         ///< has as calculations
};

}  // namespace lapwing
