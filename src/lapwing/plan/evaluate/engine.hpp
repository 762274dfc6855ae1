#pragma once

#include <limits>
#include <optional>

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/link_costs.hpp"
#include "lapwing/profile/topology.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing {

/// What every rank does when a workload (complete) is run as a candidate says, written out for the
/// engine: the library's own loops. Calculations are whole nanoseconds.
///
/// A rank that fetches has the window of receives posted. It awaits the oldest, posts the next and
/// then computes. A rank that produces awaits the oldest where the window is full, computes and
/// sends. In two-way patterns a rank sends a message with each that it receives, and awaits only
/// receives. A collective is a message to each of the others in the order of ranks; so is a sum,
/// whose messages are awaited together. Where only senders know its sizes, those go first. When
/// they are there, data follows as soon as the rank awaits an earlier collective or this one, or
/// has computed the next one (`AlltoallVarying`).
///
/// A message takes its receiver's processor when it is awaited, not when it arrives: that is a
/// calculation, as long as `costs` says. A pulled message takes it at initiation.
[[nodiscard]] simulate::Graph write_schedule(const Workload& workload, const Candidate& candidate,
                                             const simulate::MeasuredMachine& costs,
                                             const OneSidedMessages& one_sided = {});

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

    /// The effort to simulate a candidate, in messages on links that nobody shares. It counts the
    /// messages of all ranks. On shared links each counts more, since the engine shares them out
    /// anew whenever a message comes or goes. Rather too low: only the simulation shows how many of
    /// them meet.
    [[nodiscard]] double cost(const Workload& workload, const Candidate& candidate) const;
    /// Simulates a workload (complete), and gives up after a cost of `most`.
    [[nodiscard]] EngineResult run(const Workload& workload, const Candidate& candidate,
                                   double most = std::numeric_limits<double>::infinity()) const;

  private:
    Nic nic_;
    OneSidedMessages one_sided_;
    simulate::MeasuredMachine costs_;    ///< of messages, for the schedule
    simulate::MeasuredMachine machine_;  ///< the same without receive overheads, which the schedule
                                         ///< has as calculations
};

}  // namespace lapwing
