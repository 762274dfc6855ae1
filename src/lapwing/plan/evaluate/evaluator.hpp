#pragma once

#include <optional>

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/engine.hpp"
#include "lapwing/plan/evaluate/recurrences.hpp"

namespace lapwing {

/// Seconds of candidates, in three degrees of detail: the closed form of a one-way stream
/// (`StreamRecurrence`) or of computation that needs no message (`independent_seconds`), one rank
/// whose partners are always ready (`RankRecurrence`), and all ranks (`Engine`). Candidates that
/// are compared need the same for all of them.
///
/// Closed forms are as exact as the engine, with one exception: a stream with messages on both
/// sides of the eager limit. There short ones overtake long ones whose receives are not posted yet,
/// and only the engine knows which. In other patterns the recurrence of one rank proposes and the
/// engine decides.
class Evaluator {
  public:
    /// `costs` outlives this. `most`: that one candidate may cost the engine, see `Engine::cost`.
    Evaluator(const RankCosts& costs, double most);

    [[nodiscard]] const RankCosts& costs() const { return costs_; }
    /// The closed form of a stream; null for other workloads.
    [[nodiscard]] const StreamRecurrence* stream() const { return stream_ ? &*stream_ : nullptr; }
    /// The recurrence of one rank, where there is no closed form.
    [[nodiscard]] const RankRecurrence& rank() const { return *rank_; }
    [[nodiscard]] const Engine& engine() const;

    /// Whether no recurrence is exact for this candidate.
    [[nodiscard]] bool needs_engine(const Candidate& candidate) const;
    /// Whether simulated time can hold the run.
    [[nodiscard]] bool fits_engine() const;
    /// Whether it can, and the cost is not too high.
    [[nodiscard]] bool can_simulate(const Candidate& candidate) const {
        return fits_engine() && engine().cost(costs_.workload, candidate) <= most_;
    }
    [[nodiscard]] bool uses_engine(const Candidate& candidate) const {
        return needs_engine(candidate) && can_simulate(candidate);
    }
    /// Seconds of a candidate, by the engine or by a recurrence.
    [[nodiscard]] double seconds(const Candidate& candidate, bool by_engine) const;

    /// Seconds of messages that advance in part only, which nothing hides.
    [[nodiscard]] double unhidden_seconds() const {
        return costs_.progress.unhidden_per_byte * costs_.volume();
    }
    /// Whether messages can be in flight while a rank computes: there are several, or the
    /// computation needs none. (Of one message alone, exposed time was not measured.)
    [[nodiscard]] bool overlaps(const Candidate& candidate) const {
        return candidate.messages.count() * costs_.peers > 1 ||
               (is_independent(costs_.workload) && costs_.exposed_sizes.empty());
    }

  private:
    const RankCosts& costs_;
    double most_;
    std::optional<StreamRecurrence> stream_;
    std::optional<RankRecurrence> rank_;
    mutable std::optional<Engine> engine_;  ///< made when it is first asked for
};

}  // namespace lapwing
