#include "lapwing/plan/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/iancu2007/planner.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

/// Plans for wrong estimates of the computation, and what they take for the true one.
class PerturbedPlans {
  public:
    PerturbedPlans(const Profile& profile, const Workload& workload, Method method)
        : profile_(profile),
          workload_(over_one_transport(complete(workload))),
          method_(method),
          right_(plan(profile, workload_, method)),
          costs_(workload_costs(profile, workload_, workload_.transport)),
          evaluator_(costs_.computing, search_options.most_judged),
          by_engine_(evaluator_.can_simulate(right_) ? evaluator_.seconds(right_, true) : 0),
          by_recurrence_(evaluator_.seconds(right_, false)) {}

    /// Tries `tenths` tenths of the true computation.
    void try_tenths(int tenths, Misestimate& result) const {
        const double error = std::abs(tenths - 10) / 10.0;
        const Plan wrong = plan_for(workload_.compute * tenths / 10);
        if (static_cast<const Candidate&>(wrong) == right_) return;
        if (!result.changes) result.changes = error;
        const double loss = lost(wrong);
        if (!result.costs && loss > search_options.exact) result.costs = error;
        result.worst = std::max(result.worst, loss);
    }
    [[nodiscard]] double misdiagnosed() const {
        if (workload_.compute <= 0) return 0;
        const double wire = costs_.computing.line.G * costs_.computing.volume();
        return std::max(0.0, lost(plan_for(wire * wire / workload_.compute)));
    }
    [[nodiscard]] double model() const {
        double most = 0;
        Candidate candidate = right_;
        const std::uint64_t own = costs_.computing.bytes_per_peer;
        for (std::uint64_t size = workload_.grain; size <= own; size *= 2) {
            if ((own + size - 1) / size > most_messages) continue;
            candidate.messages = Messages::uniform(own, size, workload_.grain);
            for (int burst = 1; burst <= longest_burst; burst *= 2) {
                candidate.window = 2 * burst;
                // What is too long for the judge of the plan is no part of the comparison.
                if (!evaluator_.uses_engine(right_) || evaluator_.can_simulate(candidate))
                    most = std::max(most, -lost(candidate));
            }
        }
        return most;
    }

  private:
    /// Plans over several transports have no judge in common.
    static Workload over_one_transport(Workload workload) {
        if (workload.transport == MessageTransport::any)
            workload.transport = MessageTransport::two_sided;
        return workload;
    }
    [[nodiscard]] Plan plan_for(double compute) const {
        Workload other = workload_;
        other.compute = compute;
        return plan(profile_, other, method_);
    }
    /// What a candidate takes longer than the right plan, as a share of the blocking run. One judge
    /// for both: the engine where one of them needs it and it can simulate both.
    [[nodiscard]] double lost(const Candidate& candidate) const {
        const bool by_engine =
            (evaluator_.needs_engine(right_) || evaluator_.needs_engine(candidate)) &&
            evaluator_.can_simulate(right_) && evaluator_.can_simulate(candidate);
        const double right = by_engine ? by_engine_ : by_recurrence_;
        return (evaluator_.seconds(candidate, by_engine) - right) / right_.blocking;
    }

    const Profile& profile_;
    Workload workload_;
    Method method_;
    Plan right_;
    WorkloadCosts costs_;
    Evaluator evaluator_;
    double by_engine_;      ///< seconds of the right plan, where the engine can simulate it
    double by_recurrence_;  ///< the same by a recurrence
};

}  // namespace

Sensitivity sensitivity(const Profile& profile, const Workload& workload, Method method) {
    const PerturbedPlans plans(profile, workload, method);
    Sensitivity result;
    for (int tenths = 11; tenths <= 40; ++tenths) plans.try_tenths(tenths, result.over);
    for (int tenths = 9; tenths >= 1; --tenths) plans.try_tenths(tenths, result.under);
    result.model = plans.model();
    result.misdiagnosed = plans.misdiagnosed();
    return result;
}

}  // namespace lapwing
