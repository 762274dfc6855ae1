#include "lapwing/plan/contest.hpp"

#include <algorithm>
#include <utility>

namespace lapwing {
namespace {

/// Another must be faster by this share: the first are those that were thought to be best.
constexpr double worthwhile_finalist = 1e-3;

/// The share of a planner's time in which one is played soon.
constexpr double soon = 0.01;

}  // namespace

Contest::Contest(const Profile& profile, const Plan& plan, const FinalLimits& limits,
                 const Fewer& fewer, double effort)
    : rehearsal_(profile),
      limits_(limits),
      trial_(plan),
      fewer_(fewer),
      effort_(effort),
      left_(effort) {
    trial_.workload = fewer_.workload;
    if (limits_.peers > 1 && fewer_.workload.peers < limits_.peers)
        limits_.peers = fewer_.workload.peers;
}

bool Contest::play_soon(const Finalist& finalist, double slower) {
    return play(finalist, slower * soon);
}

bool Contest::play(const Finalist& wanted, double patience) {
    Finalist finalist = within(wanted, limits_);
    const auto& messages = finalist.messages;
    const bool too_large = std::any_of(
        messages.runs().begin(), messages.runs().end(),
        [&](const Run& run) { return run.size > limits_.largest && messages.count() > 1; });
    if (too_large || find(finalist) != nullptr) return false;
    trial_.messages = fewer_.messages(messages);
    trial_.window = finalist.window;
    trial_.order = finalist.order;
    trial_.burst = finalist.burst();
    const double effort = rehearsal_.effort(trial_);
    const double most = std::min(left_, patience * effort_);
    if (pace() * effort > most) return false;
    const Rehearsed rehearsed = rehearsal_.play(trial_, most);
    // One message to each comes and goes together with all others.
    if (messages.count() > 1) {
        estimated_ += effort;
        taken_ += rehearsed.effort;
    }
    left_ -= rehearsed.effort;
    const double seconds = fewer_.longer * rehearsed.seconds;
    played_.push_back({seconds, finalist});
    if (seconds >= (1 - worthwhile_finalist) * seconds_) return false;
    seconds_ = seconds;
    best_ = std::move(finalist);
    return true;
}

double Contest::seconds_of(const Finalist& finalist) const {
    const Played* const played = find(finalist);
    return played != nullptr ? played->seconds : std::numeric_limits<double>::infinity();
}

std::vector<Finalist> Contest::ranking() const {
    std::vector<Played> sorted = played_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Played& a, const Played& b) { return a.seconds < b.seconds; });
    std::vector<Finalist> finalists;
    finalists.reserve(sorted.size());
    for (Played& each : sorted) finalists.push_back(std::move(each.finalist));
    return finalists;
}

const Contest::Played* Contest::find(const Finalist& finalist) const {
    const auto found = std::find_if(played_.begin(), played_.end(),
                                    [&](const Played& each) { return each.finalist == finalist; });
    return found != played_.end() ? &*found : nullptr;
}

}  // namespace lapwing
