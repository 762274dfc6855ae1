#include "lapwing/plan/finals.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/plan/contest.hpp"
#include "lapwing/plan/fewer.hpp"
#include "lapwing/plan/regroup.hpp"
#include "lapwing/plan/schedule.hpp"

namespace lapwing {
namespace {

/// A planner needs to look at so many ways to cut, at least.
constexpr double ways_to_look_at = 64;

/// So many finalists show what effort others will take.
constexpr std::size_t first_finalists = 4;

/// So many of the fastest among fewer ranks are played among all,
constexpr std::size_t fastest_of_few = 6;

/// and where that takes too long, one must be faster by this share than the best among all.
constexpr double clearly = 0.02;

PeerOrder other(PeerOrder order) {
    return order == PeerOrder::contiguous ? PeerOrder::interleaved : PeerOrder::contiguous;
}

/// Of so many messages or more it makes little difference how long the last one is.
constexpr std::uint64_t most_tapered = 16;

/// Goes to the first neighbour of the best that is better; whether there was one.
bool step(Contest& contest, const FinalLimits& limits) {
    const Finalist best = contest.best();
    const std::uint64_t count = best.messages.count();
    const Messages twice = finer(best.messages);
    const Messages half = coarser(best.messages);
    const auto play = [&](const Messages& messages, int window) {
        return contest.play({messages, window, best.order, best.in_bursts});
    };
    const auto taper = [&](std::uint64_t to, std::uint64_t quarters, int window) {
        return limits.any_size && to > 1 && to <= most_tapered &&
               play(tapered(best.messages, to, quarters), window);
    };
    const auto in_other_bursts = [&](int window) {
        return limits.bursts && contest.play({best.messages, window, best.order, !best.in_bursts});
    };
    const int window = best.window;
    return play(best.messages, 2 * window) || play(best.messages, window / 2) ||
           play(half, window) || taper(count, 3, window) || taper(count, 2, window) ||
           taper(count + 1, 2, window + 1) || taper(count + 1, 2, window) || play(twice, window) ||
           play(half, window / 2) || play(twice, 2 * window) ||
           (limits.peers > 1 &&
            contest.play({best.messages, window, other(best.order), best.in_bursts})) ||
           in_other_bursts(window) || in_other_bursts(window + 1) || in_other_bursts(2 * window);
}

/// Messages of equal size, few of them with a shorter last one too, at short windows: each more or
/// less may change who is ahead of whom, so that none is near another.
void try_equal(Contest& contest, const Messages& whole, bool orders) {
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
    for (const std::uint64_t count : {12, 16, 24, 32, 48, 64})
        for (const int window : {2, 8})
            contest.play_soon({tapered(whole, count, 4), window, order}, 4);
}

/// Goes on for as long as there is a better one nearby.
void climb(Contest& contest, const FinalLimits& limits) {
    while (step(contest, limits)) {
    }
}

/// Plays them, and what is near the best of them.
void hold(Contest& contest, const std::vector<Finalist>& finalists, const FinalLimits& limits,
          const Messages& planned) {
    for (const Finalist& finalist : finalists) contest.play(finalist);
    if (!contest.any()) return;
    for (const Finalist& finalist : finalists)
        for (const int window : {2, 4})
            contest.play_soon({finalist.messages, window, finalist.order, finalist.in_bursts});
    climb(contest, limits);
    // What is nowhere near may be better still.
    for (const Finalist& finalist : finalists)
        for (const int window : {2, 4, limits.deepest})
            contest.play({finalist.messages, window, finalist.order, finalist.in_bursts});
    climb(contest, limits);
    for (const int window : {4, 8, 16, 2})
        if (limits.bursts)
            contest.play({contest.best().messages, window, contest.best().order, true});
    climb(contest, limits);
    if (!limits.any_size) return;
    const std::uint64_t volume = planned.volume();
    try_equal(contest, Messages::uniform(volume, volume, planned.grain()), limits.peers > 1);
    climb(contest, limits);
}

/// A workload among fewer ranks, and the machine as these see it.
struct Small {
    Profile profile;
    Fewer fewer;
};

/// Among as many ranks as there is time to look at many ways to cut it with so much `effort`; none
/// where there is anyway. `pace`: of a contest among all.
std::optional<Small> smaller(const Profile& profile, const Plan& plan, double effort, double pace) {
    const double each = effort / ways_to_look_at;
    const Rehearsal rehearsal(profile);
    Plan usual = plan;
    usual.messages = tapered(plan.messages, 8, 4);
    const auto takes = [&](std::uint64_t ranks) {
        usual.workload = among(plan.workload, ranks).workload;
        return pace * rehearsal.effort(usual);
    };
    std::uint64_t ranks = plan.workload.ranks;
    if (!with_all(plan.workload.pattern) || takes(ranks) <= each) return std::nullopt;
    Small small{profile, {}};
    small.profile.topology = narrowed(profile.topology, ranks);
    while (ranks > 4 && takes(ranks) > each) ranks -= 1 + ranks / 16;
    if (small.profile.topology && small.profile.topology->uplinks > 0) {
        // Whole leaves of them, two at least.
        const auto leaf = static_cast<std::uint64_t>(small.profile.topology->below);
        ranks = std::max(2 * leaf, ranks / leaf * leaf);
    }
    if (ranks >= plan.workload.ranks) return std::nullopt;
    small.fewer = among(plan.workload, ranks);
    return small;
}

}  // namespace

Outcome finals(const Profile& profile, Plan& plan, const std::vector<Finalist>& finalists,
               const FinalLimits& limits, double effort) {
    if (!(plan.blocking < longest_to_play)) return {};
    Outcome outcome;
    Contest all(profile, plan, limits, {.workload = plan.workload}, effort);
    if (all.play(finalists.front(), 1)) outcome.first = all.seconds();
    // What one of several takes shows what others will.
    for (std::size_t i = 1; i < std::min<std::size_t>(finalists.size(), first_finalists); ++i)
        all.play(finalists[i]);
    std::optional<Contest> few;
    if (const auto small = smaller(profile, plan, effort / 2, all.pace())) {
        few.emplace(small->profile, plan, limits, small->fewer, effort / 2);
        all.leave(effort / 2);
        hold(*few, finalists, limits, plan.messages);
        const auto ranking = few->ranking();
        for (std::size_t i = 0; i < std::min(ranking.size(), fastest_of_few); ++i)
            all.play(ranking[i]);
    }
    hold(all, finalists, limits, plan.messages);
    Finalist best = all.best();
    outcome.best = all.seconds();
    // The best among few may take too long to be played among all.
    if (few && few->any() && std::isinf(all.seconds_of(few->best()))) {
        const Finalist fastest = few->best();
        const double seconds = few->seconds();
        if (all.any()) few->play(best, 1);
        const double same = few->seconds_of(best);
        if (seconds < (1 - clearly) * same) {
            best = fastest;
            // Latencies are no longer among all, so that what both have played is the measure.
            outcome.best = std::isfinite(same) ? outcome.best * seconds / same : seconds;
        }
    }
    if (best.messages.count() == 0) return outcome;
    plan.messages = best.messages;
    plan.window = best.window;
    plan.burst = best.burst();
    plan.order = best.order;
    return outcome;
}

}  // namespace lapwing
