#include "lapwing/plan/finals.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "lapwing/plan/regroup.hpp"
#include "lapwing/plan/schedule.hpp"

namespace lapwing {
namespace {

/// Of all ranks and all finalists together: what there is time for.
constexpr double messages_to_play = 16000;

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

/// Plays finalists for as long as there is time, each once.
class Contest {
  public:
    Contest(const Profile& profile, const Plan& plan, const FinalLimits& limits)
        : nic_(profile.nic), rehearsal_(profile), limits_(limits), trial_(plan) {}

    /// Whether it is the best so far.
    bool play(Finalist finalist) {
        const auto& messages = finalist.messages;
        const std::uint64_t all = messages.count() * limits_.peers;
        const auto most = static_cast<int>(
            std::min<std::uint64_t>(all, static_cast<std::uint64_t>(limits_.deepest)));
        finalist.window = std::clamp(finalist.window, 1, most);
        // Of one message each there is but one order.
        if (limits_.peers > 1 && messages.count() == 1) finalist.order = PeerOrder::contiguous;
        if (std::find(played_.begin(), played_.end(), finalist) != played_.end()) return false;
        const bool too_large = std::any_of(
            messages.runs().begin(), messages.runs().end(),
            [&](const Run& run) { return run.size > limits_.largest && messages.count() > 1; });
        if (too_large) return false;
        trial_.messages = finalist.messages;
        trial_.window = finalist.window;
        trial_.order = finalist.order;
        const double effort = total(trial_) * sharing(finalist.window);
        if (effort > left_) return false;
        left_ -= effort;
        const double seconds = rehearsal_.seconds(trial_);
        played_.push_back(finalist);
        if (seconds >= (1 - worthwhile) * seconds_) return false;
        seconds_ = seconds;
        best_ = std::move(finalist);
        return true;
    }
    [[nodiscard]] double seconds() const { return seconds_; }
    [[nodiscard]] const Finalist& best() const { return best_; }

  private:
    /// Messages that share a link are shared out anew whenever one comes or goes: how much longer
    /// that takes.
    [[nodiscard]] double sharing(int window) const {
        if (nic_ == Nic::serialising) return 1;
        const Workload& workload = trial_.workload;
        const bool of_each = limits_.peers < workload.peers;
        return 1 + window * (of_each ? static_cast<double>(workload.peers) : 1) / 4;
    }

    Nic nic_;
    Rehearsal rehearsal_;
    FinalLimits limits_;
    Plan trial_;
    double left_ = messages_to_play;
    std::vector<Finalist> played_;
    double seconds_ = std::numeric_limits<double>::infinity();
    Finalist best_;
};

PeerOrder other(PeerOrder order) {
    return order == PeerOrder::contiguous ? PeerOrder::interleaved : PeerOrder::contiguous;
}

/// Goes to the first neighbour of the best that is better; whether there was one.
bool step(Contest& contest, bool orders) {
    const auto [messages, window, order] = contest.best();
    const Messages twice = finer(messages);
    const Messages half = coarser(messages);
    return contest.play({messages, 2 * window, order}) ||
           contest.play({messages, window / 2, order}) || contest.play({half, window, order}) ||
           contest.play({twice, window, order}) || contest.play({half, window / 2, order}) ||
           contest.play({twice, 2 * window, order}) ||
           (orders && contest.play({messages, window, other(order)}));
}

/// Goes on for as long as there is a better one nearby.
void climb(Contest& contest, bool orders) {
    while (step(contest, orders)) {
    }
}

}  // namespace

double finals(const Profile& profile, Plan& plan, const std::vector<Finalist>& finalists,
              const FinalLimits& limits) {
    if (!(plan.blocking < longest)) return std::numeric_limits<double>::infinity();
    Contest contest(profile, plan, limits);
    for (const Finalist& finalist : finalists) contest.play(finalist);
    if (contest.best().messages.count() == 0) return contest.seconds();
    climb(contest, limits.peers > 1);
    // What is nowhere near may be better still.
    for (const Finalist& finalist : finalists)
        for (const int window : {2, 4, limits.deepest})
            contest.play({finalist.messages, window, finalist.order});
    climb(contest, limits.peers > 1);
    plan.messages = contest.best().messages;
    plan.window = contest.best().window;
    plan.order = contest.best().order;
    return contest.seconds();
}

}  // namespace lapwing
