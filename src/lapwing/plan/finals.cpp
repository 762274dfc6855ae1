#include "lapwing/plan/finals.hpp"

#include <cstdint>
#include <limits>

#include "lapwing/plan/schedule.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {
namespace {

/// Of all ranks and all finalists together: some 40 ms.
constexpr double most_messages = 24000;

/// A schedule that takes longer is not told in the engine's ticks.
constexpr double longest = 1e3;

/// Another must be faster by this share: the first are those that were thought to be best.
constexpr double worthwhile = 1e-3;

/// Messages of all ranks.
double total(const Plan& plan) {
    const auto count = static_cast<double>(plan.messages.count());
    const auto ranks = static_cast<double>(plan.workload.ranks);
    const auto peers = static_cast<double>(plan.workload.peers);
    switch (plan.workload.pattern) {
        case Pattern::stream:
            return 2 * count;
        case Pattern::multi:
        case Pattern::congested:
            return peers * count;
        default:
            return ranks * peers * count;
    }
}

}  // namespace

double finals(const Profile& profile, Plan& plan, const std::vector<Finalist>& finalists) {
    double best = std::numeric_limits<double>::infinity();
    if (!(plan.blocking < longest)) return best;
    const simulate::Measured costs(profile, simulate::Rank{1});
    double left = most_messages;
    Plan trial = plan;
    for (const auto& [messages, window] : finalists) {
        trial.messages = messages;
        trial.window = window;
        if (total(trial) > left) continue;
        left -= total(trial);
        constexpr double tick = 1e-9 / static_cast<double>(simulate::Measured::nanosecond);
        const auto played = simulate::simulate(schedule(trial), costs);
        const double seconds = static_cast<double>(played.finish) * tick;
        if (seconds >= (1 - worthwhile) * best) continue;
        best = seconds;
        plan.messages = messages;
        plan.window = window;
    }
    return best;
}

}  // namespace lapwing
