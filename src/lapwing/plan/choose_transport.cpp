#include "lapwing/plan/choose_transport.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/one_sided.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/plan/words.hpp"

namespace lapwing {
namespace {

/// What an operation costs was measured by itself; what it costs with an offer and an answer is
/// their sum. It must save this share of the time.
constexpr double doubt = 0.02;

/// Whether a transport is weighed: where every rank's memory is read, or written, by one other at
/// most, which has nothing else to do.
bool is_weighed(const Workload& workload, MessageTransport transport) {
    if (workload.dependence == Dependence::loose || workload.direction == Direction::both ||
        is_strided(workload))
        return false;
    // What computes is spared where the other side moves the data.
    const bool fetches = workload.direction == Direction::fetch;
    return workload.pattern == Pattern::stream && fetches == (transport == MessageTransport::put);
}

/// The plan over a transport, on the machine as its messages see it. Puts to a rank are told of
/// together, when all that have left are there: more than two would be waited for as if they were
/// one. What a message takes who moves it, and the wire, follow each other.
Plan over(MessageTransport transport, const Profile& seen,
          const std::function<Plan(const Profile&)>& plan_on) {
    constexpr int most_puts = 2;
    const bool puts = transport == MessageTransport::put;
    Plan plan = plan_on(seen);
    plan.transport = name(transport);
    if (puts) plan.window = std::min(plan.window, most_puts);
    if (!is_weighed(plan.workload, transport)) return plan;
    const double each = puts ? seen.loggp.o_s : seen.loggp.o_r;
    const double moving = static_cast<double>(plan.messages.count()) * each + seen.loggp.L +
                          seen.loggp.G * static_cast<double>(plan.messages.volume());
    plan.predicted = std::max(plan.predicted, moving);
    return plan;
}

/// The faster of `best` and what is one-sided.
void offer(Plan& best, const Profile& profile, MessageTransport transport,
           const std::function<Plan(const Profile&)>& plan_on) {
    const Profile seen = seen_by(profile, transport, best.workload.direction);
    // What cannot be faster need not be planned.
    if (limit(best.workload, flow(seen, best.workload)) > (1 - doubt) * best.predicted) return;
    Plan other = over(transport, seen, plan_on);
    const bool faster = other.predicted < (1 - doubt) * best.predicted;
    if (faster) std::swap(best, other);
    const RunnerUp& second = best.runner_up;
    if (second.what.empty() || other.predicted < second.predicted)
        best.runner_up = {std::string(other.transport) + " messages", other.predicted};
    if (faster) best.transport_reason = "two-sided messages would take longer";
    // What a plan is compared with is one run without overlap.
    if (faster) best.blocking = other.blocking;
}

}  // namespace

Plan choose_transport(const Profile& profile, const Workload& workload,
                      const std::function<Plan(const Profile&)>& plan_on) {
    const auto asked = [&](Plan plan) {
        const bool collective = plan.transport == "collective";
        plan.transport_reason = collective ? "collectives have their own" : "as the workload says";
        return plan;
    };
    if (workload.transport == MessageTransport::two_sided) return asked(plan_on(profile));
    if (workload.transport != MessageTransport::any) {
        const Profile seen = seen_by(profile, workload.transport, workload.direction);
        return asked(over(workload.transport, seen, plan_on));
    }
    Plan best = plan_on(profile);
    if (best.transport == "collective") return asked(std::move(best));
    bool weighed = false;
    for (const auto each : {MessageTransport::put, MessageTransport::get}) {
        if (!is_weighed(workload, each) || !is_measured(profile, each)) continue;
        weighed = true;
        offer(best, profile, each, plan_on);
    }
    if (best.transport == "two-sided")
        best.transport_reason = weighed ? "one-sided messages would take longer"
                                        : "what others would cost here was not measured";
    return best;
}

}  // namespace lapwing
