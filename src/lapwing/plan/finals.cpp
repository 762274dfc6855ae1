#include "lapwing/plan/finals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "lapwing/plan/regroup.hpp"
#include "lapwing/plan/schedule.hpp"

namespace lapwing {
namespace {

/// Another must be faster by this share: the first are those that were thought to be best.
constexpr double worthwhile = 1e-3;

/// The share of a planner's time in which one is played soon.
constexpr double soon = 0.01;

/// Plays finalists for as long as there is time, each once.
class Contest {
  public:
    Contest(const Profile& profile, const Plan& plan, const FinalLimits& limits)
        : rehearsal_(profile), limits_(limits), trial_(plan) {}

    /// Whether it is the best so far; what takes long is left for later.
    bool play_soon(Finalist finalist) { return play(std::move(finalist), soon * messages_to_play); }
    /// Whether it is the best so far. `patience`: effort it may take.
    bool play(Finalist finalist, double patience = messages_to_play) {
        const auto& messages = finalist.messages;
        finalist.window = std::clamp(finalist.window, 1, widest(messages, limits_));
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
        const double effort = rehearsal_.effort(trial_);
        if (effort > std::min(left_, patience)) return false;
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

/// Of so many messages or more it makes little difference how long the last one is.
constexpr std::uint64_t most_tapered = 16;

/// Goes to the first neighbour of the best that is better; whether there was one.
bool step(Contest& contest, bool orders, bool tapers) {
    const Finalist best = contest.best();
    const auto& messages = best.messages;
    const int window = best.window;
    const PeerOrder order = best.order;
    const Messages twice = finer(messages);
    const Messages half = coarser(messages);
    const std::uint64_t count = messages.count();
    const auto taper = [&](std::uint64_t to, std::uint64_t quarters, int among) {
        return tapers && to > 1 && to <= most_tapered &&
               contest.play({tapered(messages, to, quarters), among, order});
    };
    return contest.play({messages, 2 * window, order}) ||
           contest.play({messages, window / 2, order}) || contest.play({half, window, order}) ||
           taper(count, 3, window) || taper(count, 2, window) || taper(count + 1, 2, window + 1) ||
           taper(count + 1, 2, window) || contest.play({twice, window, order}) ||
           contest.play({half, window / 2, order}) || contest.play({twice, 2 * window, order}) ||
           (orders && contest.play({messages, window, other(order)}));
}

/// Few messages of equal size, or with a shorter last one, at the shortest windows: with each more
/// or less it may change who is ahead of whom, so that none is near another.
void try_few(Contest& contest, const Messages& whole, bool orders) {
    constexpr std::uint64_t few = 8;
    const PeerOrder order = contest.best().order;
    for (std::uint64_t count = 2; count <= few; ++count) {
        for (const std::uint64_t quarters : {4, 3, 2}) {
            const Messages messages = tapered(whole, count, quarters);
            for (const int window : {1, 2}) {
                contest.play_soon({messages, window, order});
                if (orders) contest.play_soon({messages, window, other(order)});
            }
        }
    }
}

/// Goes on for as long as there is a better one nearby.
void climb(Contest& contest, bool orders, bool tapers) {
    while (step(contest, orders, tapers)) {
    }
}

}  // namespace

int widest(const Messages& messages, const FinalLimits& limits) {
    const auto count = static_cast<double>(messages.count());
    const double usual = static_cast<double>(messages.volume()) / count;
    const double beginning =
        std::isinf(limits.in_flight) ? limits.in_flight : std::max(2.0, count / 16);
    const double most =
        std::min({count * static_cast<double>(limits.peers), static_cast<double>(limits.deepest),
                  std::ceil(limits.in_flight / usual), beginning});
    return static_cast<int>(std::max(1.0, most));
}

Outcome finals(const Profile& profile, Plan& plan, const std::vector<Finalist>& finalists,
               const FinalLimits& limits) {
    if (!(plan.blocking < longest_to_play)) return {};
    Contest contest(profile, plan, limits);
    Outcome outcome;
    for (const Finalist& finalist : finalists) {
        const bool best = contest.play(finalist);
        if (best && finalist == finalists.front()) outcome.first = contest.seconds();
    }
    if (contest.best().messages.count() == 0) return outcome;
    for (const Finalist& finalist : finalists)
        for (const int window : {2, 4})
            contest.play_soon({finalist.messages, window, finalist.order});
    climb(contest, limits.peers > 1, limits.any_size);
    // What is nowhere near may be better still.
    for (const Finalist& finalist : finalists)
        for (const int window : {2, 4, limits.deepest})
            contest.play({finalist.messages, window, finalist.order});
    climb(contest, limits.peers > 1, limits.any_size);
    if (limits.any_size) {
        const std::uint64_t volume = plan.messages.volume();
        try_few(contest, Messages::uniform(volume, volume, plan.messages.grain()),
                limits.peers > 1);
        climb(contest, limits.peers > 1, true);
    }
    plan.messages = contest.best().messages;
    plan.window = contest.best().window;
    plan.order = contest.best().order;
    outcome.best = contest.seconds();
    return outcome;
}

}  // namespace lapwing
