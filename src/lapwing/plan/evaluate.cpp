#include "lapwing/plan/evaluate.hpp"

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/loose.hpp"
#include "lapwing/plan/one_way.hpp"
#include "lapwing/plan/played.hpp"
#include "lapwing/plan/settle.hpp"

namespace lapwing {

double evaluate(const Profile& profile, const Workload& workload, const Flow& flow,
                const Plan& way) {
    const auto costs = as_fetched(workload, flow.costs);
    const double stalled = attendance(profile.progress, costs).stalled * flow.volume;
    if (is_loose(workload)) return play_loose(workload, flow, way.messages, stalled);
    // What is one message is not overlapped.
    if (way.messages.count() * flow.peers == 1) return blocking(workload, flow, profile.nic);
    if (!has_closed_form(workload)) return play_exchange(profile, workload, flow, way) + stalled;
    return play_one_way(workload, flow, way.messages) + stalled;
}

}  // namespace lapwing
