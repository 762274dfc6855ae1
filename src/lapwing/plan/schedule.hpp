#pragma once

#include <limits>

#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing {

/// What every rank does when a plan is run, written out for the engine, which plays it with
/// contention and all (see `Rehearsal`). Calculations are whole nanoseconds.
///
/// Ranks run the library's own loops. Who fetches has the plan's window of receives posted, awaits
/// the oldest, posts the next and then consumes; who produces awaits the oldest where the window is
/// full, computes and sends; in two-way patterns a message is sent with each that is received, and
/// only what is received is awaited. The one of a congested pattern, and the peers of a multi, only
/// send or receive. Rank r of an all-to-all begins with r + 1, or all with rank 0; the neighbours
/// of a halo are those to the right and to the left, four of them those on a grid. A collective is
/// a message to each of the others in the order of ranks, and so is a sum: its messages are awaited
/// all together. Of a collective whose sizes only senders know sizes go first, and data when they
/// are there and a collective before it is awaited, the next one has been computed, or it is
/// awaited itself
/// (`AlltoallVarying`).
///
/// A message takes its receiver's processor when it is awaited, not when it is there: that is a
/// calculation, as long as `costs` says.
[[nodiscard]] simulate::Graph schedule(const Plan& plan, const simulate::MeasuredMachine& costs);

/// How a plan went.
struct Rehearsed {
    double seconds = 0;  ///< until the last rank was done; infinite where it was given up
    double effort = 0;   ///< that it took to play it, see `Rehearsal::effort`
};

/// Plays plans by the engine, on the machine of a profile.
class Rehearsal {
  public:
    explicit Rehearsal(const Profile& profile);

    /// What it will take to play a plan, as so many messages on links that nobody shares: those of
    /// all ranks, and where messages share links, which are shared out anew whenever one comes or
    /// goes, more for each. An estimate on the low side: how many of them meet is seen only when it
    /// is played.
    [[nodiscard]] double effort(const Plan& plan) const;
    /// `most`: effort after which to give up.
    [[nodiscard]] Rehearsed play(const Plan& plan,
                                 double most = std::numeric_limits<double>::infinity()) const;

  private:
    Nic nic_;
    simulate::MeasuredMachine costs_;    ///< of messages
    simulate::MeasuredMachine machine_;  ///< on which the schedule says when messages are taken up
};

}  // namespace lapwing
