#pragma once

#include <vector>

#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/reduced_workload.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {

/// Evaluates candidates with the engine for as long as the budget lasts, each once, and remembers
/// what they took.
class EvaluatedSet {
  public:
    /// `engine` outlives this. `reduced`: the workload, at full size or reduced. `budget`: for all
    /// candidates, see `Engine::cost`.
    EvaluatedSet(const Engine& engine, const CandidateLimits& limits,
                 const ReducedWorkload& reduced, double budget);

    /// Whether the candidate, within its limits, is the best so far. It is given up after
    /// `budget_share` of the budget, and left out if others show that it would be.
    bool evaluate(const Candidate& candidate, double budget_share = search_options.most_of_budget);
    /// Leaves as much of the budget to others.
    void leave(double budget) { left_ -= budget; }

    /// Whether any was simulated to its end.
    [[nodiscard]] bool any() const { return best_.candidate.messages.count() > 0; }
    /// Of the best, at full size.
    [[nodiscard]] double seconds() const { return best_.seconds; }
    [[nodiscard]] const Candidate& best() const { return best_.candidate; }
    /// Of one, at full size; infinite where it was not simulated to its end.
    [[nodiscard]] double seconds_of(const Candidate& candidate) const;
    /// The fastest `most` of those that were simulated, the fastest first.
    [[nodiscard]] std::vector<Candidate> fastest(std::size_t most) const;
    /// What all simulations cost, over what was estimated.
    [[nodiscard]] double cost_ratio() const { return estimated_ > 0 ? cost_ / estimated_ : 1; }

  private:
    const Engine& engine_;
    CandidateLimits limits_;
    ReducedWorkload reduced_;
    double budget_;
    double left_;
    double estimated_ = 0;
    double cost_ = 0;
    std::vector<Evaluated> all_;
    Evaluated best_;
};

}  // namespace lapwing
