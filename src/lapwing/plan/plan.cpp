#include "lapwing/plan/plan.hpp"

#include "lapwing/plan/iancu2007/planner.hpp"
#include "lapwing/plan/transports.hpp"

// The way of a plan, from top to bottom of this folder:
//
//     Workload + Profile ──► RankCosts ──► candidates ──► Evaluator ──► search ──► Plan
//                            costs/        candidates/    evaluate/     search/    explain/

namespace lapwing {

Plan plan(const Profile& profile, const Workload& workload, Method method) {
    validate(profile);
    const Workload whole = complete(workload);
    return method == Method::lapwing ? plan_over_transports(profile, whole)
                                     : plan_iancu(profile, whole, method);
}

}  // namespace lapwing
