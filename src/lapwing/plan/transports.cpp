#include "lapwing/plan/transports.hpp"

#include <algorithm>

namespace lapwing {

bool is_candidate(const Workload& workload, MessageTransport transport) {
    if (workload.dependence == Dependence::loose || workload.direction == Direction::both ||
        is_strided(workload))
        return false;
    const bool fetches = workload.direction == Direction::fetch;
    return workload.pattern == Pattern::stream && fetches == (transport == MessageTransport::put);
}

void apply_transport(Plan& plan, const RankCosts& costs, MessageTransport transport) {
    plan.transport_reason =
        plan.transport == "collective" ? "collectives have their own" : "as the workload says";
    if (transport == MessageTransport::two_sided) return;
    const bool puts = transport == MessageTransport::put;
    // A put's flush waits for all puts in flight: more than two would be waited for as one.
    constexpr int most_puts = 2;
    if (puts) plan.window = std::min(plan.window, most_puts);
    if (!is_candidate(plan.workload, transport)) return;
    // The side that moves data is busy with one message after another, the wire included.
    const LogGP& loggp = costs.link->loggp;
    const double each = puts ? loggp.o_s : loggp.o_r;
    const double moving = static_cast<double>(plan.messages.count()) * each + loggp.L +
                          loggp.G * static_cast<double>(plan.messages.volume());
    plan.predicted = std::max(plan.predicted, moving);
}

}  // namespace lapwing
