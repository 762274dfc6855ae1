#include "lapwing/plan/played.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/choose.hpp"
#include "lapwing/plan/finals.hpp"
#include "lapwing/plan/measured_sizes.hpp"
#include "lapwing/plan/regroup.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/simulate/recurrence/representative_rank.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

/// No more messages of a rank are played, but one with each peer always is.
constexpr std::uint64_t most_played = 8192;

constexpr std::array<int, 10> windows = {1, 2, 3, 4, 6, 8, 12, 16, 32, 64};

/// A wider window must save this share of the time.
constexpr double worthwhile_window = 2e-4;

/// No more of the measured sizes are looked at, the largest first.
constexpr std::size_t most_measured = 12;

/// How a way to cut went at its best window.
struct Played {
    double seconds = std::numeric_limits<double>::infinity();
    int window = 1;
};

/// Plays ways to cut what a rank exchanges with each of its peers.
class Trials {
  public:
    /// `in_flight`: bytes, about.
    Trials(const Profile& profile, const Workload& workload, const Flow& flow, int least,
           double in_flight = std::numeric_limits<double>::infinity())
        : peers_(flow.peers), two_way_(flow.two_way), least_(least), in_flight_(in_flight) {
        const bool produces = workload.direction == Direction::produce;
        exchange_.costs = flow.costs;
        exchange_.sends = flow.two_way || produces;
        exchange_.receives = flow.two_way || !produces;
        exchange_.nic = profile.nic;
        const double t = flow.costs.t;
        const bool both = workload.direction == Direction::both;
        exchange_.before = both ? t / 2 : produces ? t : 0;
        exchange_.after = t - exchange_.before;
        if (profile.queue_depth) deepest_ = std::max(1, *profile.queue_depth - 1);
    }

    /// The messages at the window that suits them.
    ///
    /// Where all send, ranks stay in step, each on its way to another, as long as none has messages
    /// under way to more than two peers: then every one must wait for its turn at both ends.
    /// Otherwise wires take longer, see `crowding`; where they are idle anyway that costs nothing.
    [[nodiscard]] Played play(const Messages& messages) {
        list(messages);
        const int most =
            widest(messages, {.peers = peers_, .deepest = deepest_, .in_flight = in_flight_});
        Played best;
        int last = 0;
        int worse = 0;
        for (const int each : windows) {
            const int window = std::min(std::max(each, least_), most);
            if (window == last) continue;
            last = window;
            const double seconds = played(window);
            if (seconds < (1 - worthwhile_window) * best.seconds) {
                best = {seconds, window};
                worse = 0;
            } else if (++worse == 2) {
                break;
            }
        }
        return best;
    }
    /// Seconds they take at one window.
    [[nodiscard]] double play(const Messages& messages, int window) {
        list(messages);
        return played(window);
    }
    /// The widest window there may be, but for `most`.
    [[nodiscard]] int deepest(int most) const { return std::min(deepest_, most); }
    /// Seconds that a deeper queue would save.
    [[nodiscard]] double queued(const Messages& messages, double seconds) {
        if (deepest_ >= windows.back()) return 0;
        deepest_ = windows.back();
        return seconds - play(messages).seconds;
    }

  private:
    /// One peer after the other where all send; otherwise, peers being ready side by side, a
    /// message of each in turn.
    void list(const Messages& messages) {
        sizes_.clear();
        if (!two_way_) {
            for (const auto& [size, count] : messages.runs())
                sizes_.insert(sizes_.end(), peers_ * count, static_cast<double>(size));
            return;
        }
        for (std::uint64_t peer = 0; peer < peers_; ++peer)
            for (const auto& [size, count] : messages.runs())
                sizes_.insert(sizes_.end(), count, static_cast<double>(size));
    }

    [[nodiscard]] double played(int window) const {
        const auto all = static_cast<std::size_t>(window);
        const auto [seconds, in_step] = exchange_.run(sizes_, all, sizes_.size() / peers_);
        if (in_step || !two_way_) return seconds;
        simulate::RepresentativeRank crowded = exchange_;
        crowded.costs.G *= crowding;
        crowded.costs.h *= crowding;
        return crowded.run(sizes_, all, sizes_.size() / peers_).seconds;
    }

    simulate::RepresentativeRank exchange_;
    std::uint64_t peers_;
    bool two_way_;
    int least_;
    double in_flight_;
    int deepest_ = std::numeric_limits<int>::max();
    std::vector<double> sizes_;
};

/// The costs as those of a stream, so that the chain can be had: where all send, one processor does
/// it all.
model::Stream as_stream(const Workload& workload, const Flow& flow) {
    if (!flow.two_way)
        return in_turns(as_fetched(workload, flow.costs), static_cast<double>(flow.peers));
    model::Stream x = flow.costs;
    const LinearCost both{x.o_s.base + x.o_r.base, x.o_s.per_byte + x.o_r.per_byte};
    if (workload.direction == Direction::produce) x.o_s = x.o_r;
    x.o_r = both;
    return in_turns(x, static_cast<double>(flow.peers));
}

/// Messages that grow from a small first one and shrink to a small last one, by factors of two: for
/// computation on both sides, where neither end is hidden.
Messages ramps(std::uint64_t volume, std::uint64_t grain, std::uint64_t largest) {
    std::vector<std::uint64_t> ramp;
    std::uint64_t sum = 0;
    for (std::uint64_t size = grain; size < largest && 2 * (sum + size) < volume; size *= 2) {
        if (size * 64 < largest) continue;
        ramp.push_back(size);
        sum += size;
    }
    Messages messages(grain);
    for (const std::uint64_t size : ramp) messages.append(size);
    const std::uint64_t middle = (volume - 2 * sum) / grain * grain;
    messages.append(largest, middle / largest);
    messages.append(middle % largest);
    for (std::size_t i = ramp.size(); i-- > 0;) messages.append(ramp[i]);
    messages.extend_last(volume - messages.volume());
    return messages;
}

}  // namespace

double play_exchange(const Profile& profile, const Workload& workload, const Flow& flow,
                     const Plan& way) {
    return Trials(profile, workload, flow, 1).play(way.messages, way.window);
}

Plan plan_played(const Profile& profile, const Workload& workload, const Flow& flow,
                 double effort) {
    const std::uint64_t own = flow.own;
    const std::uint64_t grain = workload.grain;
    const Attendance attended = attendance(profile, flow.costs, workload, flow.two_way);
    const double stalled = attended.stalled * flow.volume;
    const Messages whole = Messages::uniform(own, own, grain);
    // Of several peers each may be ready when another is not.
    const double in_flight = flow.two_way && flow.peers == 1
                                 ? attended.in_flight
                                 : std::numeric_limits<double>::infinity();
    Trials trials(profile, workload, flow, attended.window, in_flight);

    Plan plan;
    plan.workload = workload;
    plan.transport = flow.transport;
    plan.order = flow.two_way ? PeerOrder::contiguous : PeerOrder::interleaved;
    plan.limit = limit(workload, flow);
    plan.blocking = blocking(workload, flow, profile.nic);
    plan.messages = whole;
    const Played unsplit = trials.play(whole);
    Played best = unsplit;
    Finalist equal{whole, unsplit.window};
    Finalist unequal = equal;
    Ways ways;
    ways.whole = unsplit.seconds;
    const ExposedTime* const exposed =
        flow.two_way ? find_exposed_time(profile.progress, Traffic::both, false, 1) : nullptr;
    const bool exchanged = exposed != nullptr;
    const auto& sizes = exchanged ? exposed->sizes : profile.bandwidth.sizes;
    // Two ranks that exchange were measured so: what comes next is initiated when the one before it
    // has been consumed, and not when it has come.
    const bool in_bursts = exchanged && flow.peers == 1 && workload.direction == Direction::fetch;
    const auto offer = [&](const Messages& candidate, double& least, Finalist& of_its_kind) {
        const Played played = trials.play(candidate);
        if (played.seconds < (1 - worthwhile_window) * best.seconds) {
            best = played;
            plan.messages = candidate;
        }
        if (played.seconds < least) {
            least = played.seconds;
            of_its_kind = {candidate, played.window};
        }
        return played.seconds;
    };
    const auto largest = static_cast<std::uint64_t>(
        std::min(static_cast<double>(own), std::max(attended.largest, 1.0)));
    const auto offer_equal = [&](std::uint64_t size) {
        const double before = ways.equal;
        const double seconds = offer(Messages::uniform(own, size, grain), ways.equal, equal);
        if (ways.equal < before) ways.size = size;
        if (workload.direction == Direction::both)
            offer(ramps(own, grain, size), ways.unequal, unequal);
        return seconds;
    };
    const std::uint64_t grains = (own + grain - 1) / grain;
    if (exchanged) {
        // What exchanges expose is known at the sizes that were measured: one between them may need
        // a packet more.
        for (const std::uint64_t size : measured_sizes(sizes, largest, grain, most_measured))
            if (size < own && (own + size - 1) / size * flow.peers <= most_played)
                offer_equal(size);
    } else {
        for (std::uint64_t n = 2; n <= grains && n * flow.peers <= most_played;
             n += n < 8 ? 1 : n / 2) {
            const std::uint64_t size = (grains + n - 1) / n * grain;
            if (size > std::max(largest, grain)) continue;
            const double seconds = offer_equal(size);
            // Far beyond the best more messages only add overhead.
            if (seconds > 1.1 * best.seconds && n > 16) break;
        }
    }
    if (workload.direction != Direction::both && !exchanged) {
        const Chain chain(as_stream(workload, flow), static_cast<double>(own),
                          static_cast<double>(grain), attended.largest);
        Choice chained = choose(
            chain, grain,
            [&](const Messages& messages) {
                simulate::StreamRecurrence play(chain.costs);
                for (const auto& [size, count] : messages.runs())
                    play.messages(static_cast<double>(size), static_cast<double>(count));
                return play.consumed();
            },
            [](std::uint64_t) { return std::numeric_limits<double>::infinity(); });
        if (workload.direction == Direction::produce && chained.messages.count() > 1)
            chained.messages = chained.messages.reversed();
        if (chained.messages.count() > 1 && chained.messages.count() * flow.peers <= most_played)
            offer(chained.messages, ways.unequal, unequal);
    }
    plan.window = best.window;
    plan.burst = in_bursts ? best.window / 2 : 0;

    std::vector<Finalist> finalists;
    const auto enter = [&](const Messages& messages, int window) {
        // One peer after the other first: then it does not matter who of them is ready when.
        finalists.push_back(
            {messages, window, flow.peers > 1 ? PeerOrder::contiguous : plan.order, in_bursts});
        if (flow.peers > 1 && messages.count() > 1)
            finalists.push_back({messages, window, PeerOrder::interleaved, false});
    };
    enter(whole, unsplit.window);
    const bool straight = straight_between_sizes(profile) && !exchanged;
    // Of one stream each message is by itself, and what one costs is known at all sizes.
    const bool any_size = straight || (workload.pattern == Pattern::stream && !flow.two_way);
    if (any_size) {
        // A few messages and short windows disturb others least, and are soonest played.
        const auto in_parts = [&](std::uint64_t parts) {
            return Messages::uniform(own, (grains + parts - 1) / parts * grain, grain);
        };
        enter(in_parts(2), 2);
        enter(tapered(whole, 2, 2), 2);
        for (const Finalist& each : {Finalist{plan.messages, best.window}, equal, unequal})
            enter(each.messages, each.window);
        enter(in_parts(4), 2);
    }
    if (!straight) {
        // Of measured sizes, those about the best, and the largest.
        constexpr std::size_t about = 4;
        const auto enter_measured = [&](std::uint64_t most, std::size_t number) {
            for (const std::uint64_t size :
                 measured_sizes(sizes, std::min(largest, most), grain, number))
                if (size < own) enter(Messages::uniform(own, size, grain), equal.window);
        };
        enter_measured(2 * equal.messages.runs().front().size, about);
        enter_measured(own, most_measured);
    }
    const FinalLimits limits{flow.peers,
                             std::max(largest, grain),
                             trials.deepest(windows.back()),
                             in_flight,
                             any_size,
                             workload.direction == Direction::fetch &&
                                 workload.pattern != Pattern::collective && workload.peers > 1};
    const Outcome outcome = finals(profile, plan, finalists, limits, effort);
    double seconds = std::isinf(outcome.best) ? best.seconds : outcome.best;
    // With one peer what is not split is not overlapped either.
    if (flow.peers == 1 && !std::isinf(outcome.first)) plan.blocking = outcome.first;
    // What overlaps does no worse than what does not, but for what stands still meanwhile.
    plan.blocking = std::max(plan.blocking, seconds);
    seconds += stalled;
    const bool overlaps = seconds <= plan.blocking;
    if (overlaps) {
        plan.predicted = seconds;
        plan.poll_interval = attended.poll_interval;
        plan.poll_reason = attended.reason;
    } else {
        plan.messages = whole;
        plan.burst = 0;
        plan.window = static_cast<int>(
            std::min<std::uint64_t>(flow.peers, static_cast<std::uint64_t>(limits.deepest)));
        plan.predicted = plan.blocking;
        plan.poll_reason = "nothing is overlapped";
    }
    plan.runner_up = runner_up(ways, plan.messages, stalled);
    settle(plan, flow, overlaps ? stalled : 0);
    if (trials.queued(plan.messages, best.seconds) > 0.01 * plan.predicted)
        plan.bound = Bound::queue;
    return plan;
}

}  // namespace lapwing
