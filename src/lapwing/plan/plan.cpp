#include "lapwing/plan/plan.hpp"

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/loose.hpp"
#include "lapwing/plan/one_way.hpp"
#include "lapwing/plan/paper.hpp"
#include "lapwing/plan/two_way.hpp"

namespace lapwing {
Plan plan(const Profile& profile, const Workload& workload, Method method) {
    validate(profile);
    const Workload whole = complete(workload);
    if (method == Method::paper) return plan_paper(profile, whole);
    const Flow seen = flow(profile, whole);
    if (whole.dependence == Dependence::loose && whole.pattern != Pattern::buckets)
        return plan_loose(profile, whole, seen);
    return seen.two_way ? plan_two_way(profile, whole, seen) : plan_one_way(profile, whole, seen);
}

}  // namespace lapwing
