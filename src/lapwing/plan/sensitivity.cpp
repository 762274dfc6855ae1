#include "lapwing/plan/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/iancu2007/planner.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

/// What candidates take longer than the right plan, as shares of the blocking run.
class Losses {
  public:
    Losses(const RankCosts& costs, const Plan& right)
        : right_(right),
          evaluator_(costs, search_options.most_judged),
          by_engine_(evaluator_.can_simulate(right) ? seconds(right, true) : 0),
          by_recurrence_(seconds(right, false)) {}

    /// One judge for both: the engine where one of them needs it and it can simulate both.
    [[nodiscard]] double of(const Candidate& candidate) const {
        const bool by_engine =
            (evaluator_.needs_engine(right_) || evaluator_.needs_engine(candidate)) &&
            evaluator_.can_simulate(right_) && evaluator_.can_simulate(candidate);
        const double right = by_engine ? by_engine_ : by_recurrence_;
        return (seconds(candidate, by_engine) - right) / right_.blocking;
    }
    /// Lost by the right plan against the best equal messages.
    [[nodiscard]] double model() const {
        double most = 0;
        Candidate candidate = static_cast<const Candidate&>(right_);
        const std::uint64_t own = evaluator_.costs().bytes_per_peer;
        const std::uint64_t grain = right_.workload.grain;
        for (std::uint64_t size = grain; size <= own; size *= 2) {
            if ((own + size - 1) / size > most_messages) continue;
            candidate.messages = Messages::uniform(own, size, grain);
            for (int burst = 1; burst <= longest_burst; burst *= 2) {
                candidate.window = 2 * burst;
                // What is too long for the judge of the plan is no part of the comparison.
                if (!evaluator_.uses_engine(right_) || evaluator_.can_simulate(candidate))
                    most = std::max(most, -of(candidate));
            }
        }
        return most;
    }

  private:
    /// What does not overlap takes as long as the blocking run.
    [[nodiscard]] double seconds(const Candidate& candidate, bool by_engine) const {
        return evaluator_.overlaps(candidate) ? evaluator_.seconds(candidate, by_engine)
                                              : right_.blocking;
    }

    const Plan& right_;
    Evaluator evaluator_;
    double by_engine_;      ///< seconds of the right plan, where the engine can simulate it
    double by_recurrence_;  ///< the same by a recurrence
};

}  // namespace

Sensitivity sensitivity(const Profile& profile, const Workload& asked, Method method) {
    // Plans over several transports have no judge in common.
    const Workload workload = over_one_transport(complete(asked));
    const double compute = workload.compute;
    const Plan right = plan(profile, workload, method);
    const WorkloadCosts costs = workload_costs(profile, workload, workload.transport);
    const Losses losses(costs.computing, right);
    const auto plan_for = [&](double estimate) {
        Workload other = workload;
        other.compute = estimate;
        return plan(profile, other, method);
    };
    const auto try_tenths = [&](int tenths, Misestimate& result) {
        const Plan wrong = plan_for(compute * tenths / 10);
        if (static_cast<const Candidate&>(wrong) == right) return;
        const double error = std::abs(tenths - 10) / 10.0;
        const double loss = losses.of(wrong);
        if (!result.changes) result.changes = error;
        if (!result.costs && loss > search_options.exact) result.costs = error;
        result.worst = std::max(result.worst, loss);
    };
    Sensitivity result;
    for (int tenths = 11; tenths <= 40; ++tenths) try_tenths(tenths, result.over);
    for (int tenths = 9; tenths >= 1; --tenths) try_tenths(tenths, result.under);
    result.model = losses.model();
    const double wire = costs.computing.line.G * costs.computing.volume();
    if (compute > 0)
        result.misdiagnosed = std::max(0.0, losses.of(plan_for(wire * wire / compute)));
    return result;
}

}  // namespace lapwing
