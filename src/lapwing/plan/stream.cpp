#include "lapwing/plan/stream.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lapwing/model/stream.hpp"
#include "lapwing/simulate/stream.hpp"

namespace lapwing {
namespace {

/// Messages grow no further than to where the overhead of one is this share of the time it takes:
/// larger ones save nothing and make the plan brittle against a wrong estimate of the computation.
constexpr double worthwhile_overhead = 0.001;

/// A message more is worth its risk where it saves this share of the time.
constexpr double worthwhile_message = 1e-6;

/// Beyond this many messages the candidates beside the chain's own are not played.
constexpr int most_played = 256;

/// The chain and its costs, sizes as real numbers.
struct Chain {
    model::Stream costs;
    double volume;
    double ratio;      ///< S_{k+1} = ratio S_k + increment: arrives when the one before is consumed
    double increment;  ///< bytes
    double cap;        ///< bytes

    /// `largest` bytes a message may have, but for the grain.
    Chain(const model::Stream& x, double bytes, double grain, double largest)
        : costs(x),
          volume(bytes),
          ratio((x.t + x.o_r.per_byte) / x.G),
          increment((x.o_r.base - x.h) / x.G),
          cap(std::max(grain, std::min(largest, x.o_r.base / (worthwhile_overhead * x.G *
                                                              std::max(1.0, ratio))))) {}
};

Messages rounded(const Chain& chain, std::uint64_t grain, double count) {
    Messages messages;
    messages.volume = static_cast<std::uint64_t>(chain.volume);
    messages.grain = grain;
    messages.count = static_cast<std::uint64_t>(count);
    messages.ratio = chain.ratio;
    messages.increment = chain.increment;
    messages.cap = chain.volume;
    return messages;
}

/// The chain of `n` messages. The sender issues its second message `o_s` after the first; where
/// that is after the first has left, the second is shorter than the chain would have it, by as
/// much as it is late, and the chain starts from there.
Messages chain_of(const Chain& chain, std::uint64_t grain, int n) {
    const auto& x = chain.costs;
    Messages messages = rounded(chain, grain, n);
    messages.first = model::chain_first(x, chain.volume, n);
    if (n == 1) return messages;

    const double issue_rate = x.o_s.per_byte + x.G;
    const double late = (x.o_r.base - x.o_s.base) / issue_rate;  // the headers cancel
    const double late_ratio = (x.G + x.t + x.o_r.per_byte) / issue_rate;
    if (late + late_ratio * messages.first >= chain.ratio * messages.first + chain.increment)
        return messages;
    const auto rest = model::geometric_sums(chain.ratio, n - 1);
    const double opening = (chain.volume - chain.increment * rest.second - rest.first * late) /
                           (1 + rest.first * late_ratio);
    messages.lead = 1;
    messages.lead_size = opening;
    messages.first = late + late_ratio * opening;
    return messages;
}

/// Part of a chain that stays below the cap, and how the rest of the volume is cut.
struct Capped {
    double chained = 0;   ///< messages of the chain
    double farthest = 0;  ///< size of the chain's message next to the uniform ones
    double uniform = 0;   ///< messages that are all alike
    double size = 0;      ///< of each of those

    /// Follows a chain from `first`, `next` giving the size after a size.
    template <class Next>
    static Capped follow(const Chain& chain, double first, Next next) {
        Capped cut;
        double size = first;
        double sum = 0;
        while (size < chain.cap && sum + size < chain.volume) {
            sum += size;
            cut.farthest = size;
            ++cut.chained;
            const double after = next(size);
            if (!(after > size)) break;
            size = after;
        }
        cut.uniform = std::max(1.0, std::ceil((chain.volume - sum) / chain.cap));
        cut.size = (chain.volume - sum) / cut.uniform;
        // What little may remain is shared with the chain's last message, so that sizes stay in
        // order: they would otherwise be cut down to it.
        if (cut.size < cut.farthest) cut.size = cut.farthest;
        return cut;
    }
};

/// A chain that starts at `first` and grows, and uniform messages of about `cap` behind it.
Messages growing(const Chain& chain, std::uint64_t grain, double first) {
    const auto next = [&](double size) { return chain.ratio * size + chain.increment; };
    const auto cut = Capped::follow(chain, first, next);
    Messages messages = rounded(chain, grain, cut.chained + cut.uniform);
    messages.first = first;
    messages.cap = cut.size;
    return messages;
}

/// Uniform messages of about `cap`, and behind them a chain that shrinks to `last`.
Messages shrinking(const Chain& chain, std::uint64_t grain, double last) {
    const auto before = [&](double size) { return (size - chain.increment) / chain.ratio; };
    const auto cut = Capped::follow(chain, last, before);
    Messages messages = rounded(chain, grain, cut.chained + cut.uniform);
    messages.lead = static_cast<std::uint64_t>(cut.uniform);
    messages.lead_size = cut.size;
    messages.first = cut.farthest;
    return messages;
}

/// Seconds until the last message is consumed, in time that grows with the chain, not with what is
/// uniform before or behind it.
double play(const model::Stream& x, const Messages& messages) {
    simulate::StreamPlay play(x);
    const auto all = static_cast<double>(messages.count);
    const auto lead = static_cast<double>(messages.lead);
    if (messages.count <= most_played) {
        for (const auto size : messages) play.message(static_cast<double>(size));
        return play.consumed();
    }
    play.messages(messages.lead_size, lead);
    double size = messages.first;
    for (double played = lead; played < all; ++played) {
        if (size >= messages.cap || (messages.ratio == 1 && messages.increment == 0)) {
            play.messages(std::min(size, messages.cap), all - played);
            break;
        }
        play.message(size);
        size = messages.ratio * size + messages.increment;
    }
    return play.consumed();
}

/// Plays candidates and keeps the fastest.
struct Best {
    const Chain& chain;
    Messages messages;
    double seconds;

    explicit Best(const Chain& all, std::uint64_t grain)
        : chain(all),
          messages(Messages::uniform(volume(all), volume(all), grain)),
          seconds(model::blocking(all.costs, all.volume)) {}

    /// Whether the candidate is the fastest so far.
    bool offer(const Messages& candidate) {
        if (candidate.count < 1) return false;
        const double played = play(chain.costs, candidate);
        if (!(played < seconds)) return false;
        seconds = played;
        messages = candidate;
        return true;
    }

    static std::uint64_t volume(const Chain& chain) {
        return static_cast<std::uint64_t>(chain.volume);
    }
};

Best choose(const Chain& chain, std::uint64_t grain) {
    Best best(chain, grain);
    const auto& x = chain.costs;
    const auto cut = static_cast<double>(grain);
    const int most = static_cast<int>(std::min(chain.volume / cut, 1e6));

    int count = std::min(model::chain_count(x, chain.volume, worthwhile_message), most);
    while (count > 1 && model::chain_first(x, chain.volume, count) < cut) --count;
    const double first = model::chain_first(x, chain.volume, count);
    const auto sums = model::geometric_sums(chain.ratio, count - 1);
    const double last = sums.powers * first + chain.increment * sums.first;
    if (std::max(first, last) > chain.cap && count > 1) {
        best.offer(first > last ? shrinking(chain, grain, last) : growing(chain, grain, first));
    } else {
        best.offer(chain_of(chain, grain, count));
        // Rounding to the grain and a slow sender favour a message or more fewer.
        for (int n = count - 1; n > 1 && count <= most_played; n -= 1 + n / 8)
            if (!best.offer(chain_of(chain, grain, n)) && n + 2 < count) break;
    }
    for (double n = 2; n <= most && n <= 65536; n *= 2) {
        const double size = std::ceil(chain.volume / n / cut) * cut;
        if (size > chain.cap) continue;
        best.offer(Messages::uniform(Best::volume(chain), static_cast<std::uint64_t>(size), grain));
    }
    return best;
}

/// How large messages should be where larger ones wait for somebody to call the transport.
struct Attendance {
    double largest = std::numeric_limits<double>::infinity();  ///< bytes
    double stalled = 0;        ///< seconds per byte that are not hidden at that size
    int window = 1;            ///< messages in flight it takes
    double poll_interval = 0;  ///< seconds; 0 where polling gains nothing
};

/// Weighs, for each size measured, what its messages leave unhidden against the overhead of having
/// as many of them.
Attendance attendance(const Progress& progress, const model::Stream& x) {
    constexpr double advancing = 0.98;  // what is nearer to all than this is all
    const auto all_advance = std::all_of(progress.unattended.begin(), progress.unattended.end(),
                                         [](double share) { return share >= advancing; });
    Attendance best;
    if (all_advance) return best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < progress.sizes.size(); ++i) {
        const auto size = static_cast<double>(progress.sizes[i]);
        // Polling has a price of its own; it must be worth it.
        const bool poll = progress.polled[i] > progress.unattended[i] + 0.1;
        const double hidden = poll ? progress.polled[i] : progress.unattended[i];
        const double stalled = hidden < advancing ? (1 - hidden) * x.G : 0;
        const double cost = x.o_r(size) / size + stalled;
        if (cost < least) {
            least = cost;
            best = {size, stalled, progress.window[i], poll ? progress.poll_interval : 0};
        }
    }
    return best;
}

/// Messages in flight: enough that the announcement of a receive has crossed the wire and back
/// before its message is due, even among the shortest, and no fewer than
/// `least`, where that many were seen to be needed.
int window(const Chain& chain, const Messages& messages, int least, bool sharing,
           std::optional<int> queue_depth) {
    constexpr int most = 64;
    const auto& x = chain.costs;
    // The shortest message is an end of the chain.
    const auto steps = static_cast<double>(messages.count - messages.lead) - 1;
    const auto sums = model::geometric_sums(messages.ratio, std::max(0.0, steps));
    const double last = sums.powers * messages.first + messages.increment * sums.first;
    double shortest = std::min(messages.first, messages.cap);
    if (last > 0) shortest = std::min(shortest, last);
    if (messages.lead > 0) shortest = std::min(shortest, messages.lead_size);
    const double busy = shortest * std::min(x.G, std::max(x.t, 0.1 * x.G)) + x.o_r.base;
    const double idle = 2 * x.L + x.o_s.base + x.o_r.base;
    // Where all in flight share the wire the sender takes turns among them by its pace: the
    // receiver must never be what they wait for.
    if (sharing) least = most;
    int depth = busy * most < idle ? most : 2 + static_cast<int>(idle / busy);
    depth = std::min(std::max(depth, least), most);
    if (queue_depth) depth = std::min(depth, std::max(1, *queue_depth - 1));
    return static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(depth), messages.count));
}

/// The same messages, last first. The one message that may open a chain becomes the last, which
/// takes what remains; uniform messages behind a chain come to stand before it, and the reverse.
Messages reversed(const Messages& messages) {
    if (messages.count < 2) return messages;
    std::uint64_t chained = 1;
    double last = messages.first;
    while (messages.lead + chained < messages.count) {
        const double next = messages.ratio * last + messages.increment;
        if (next > messages.cap || (next == last && next == messages.cap)) break;
        last = next;
        ++chained;
    }
    const std::uint64_t behind = messages.count - messages.lead - chained;
    Messages other = messages;
    other.lead = behind;
    other.lead_size = behind > 0 ? messages.cap : 0;
    other.first = last;
    other.ratio = messages.ratio > 0 ? 1 / messages.ratio : 1;
    other.increment = -messages.increment * other.ratio;
    other.cap = messages.lead > 1 ? messages.lead_size : static_cast<double>(messages.volume);
    return other;
}

}  // namespace

Plan plan_stream(const Profile& profile, const Workload& workload) {
    const auto volume = static_cast<double>(workload.volume);
    auto costs = model::stream_costs(profile, volume, workload.compute);
    // A producer is a consumer with time reversed: it pays the overhead of sending where the other
    // pays that of receiving, and what it likes to send last is what the other likes to get first.
    const bool producing = workload.direction == Direction::produce;
    if (producing) std::swap(costs.o_s, costs.o_r);

    Plan plan;
    plan.workload = workload;
    plan.limit = model::stream_limit(costs, volume);
    plan.blocking = model::blocking(costs, volume);

    const Attendance attended = attendance(profile.progress, costs);
    const Chain chain(costs, volume, static_cast<double>(workload.grain), attended.largest);
    const Best best = choose(chain, workload.grain);
    plan.messages = producing ? reversed(best.messages) : best.messages;
    plan.predicted = best.seconds;
    if (best.messages.count > 1) {
        plan.predicted = std::min(best.seconds + attended.stalled * volume, plan.blocking);
        plan.poll_interval = attended.poll_interval;
    }
    const bool sharing = profile.nic == Nic::sharing;
    plan.window = window(chain, best.messages, attended.window, sharing, profile.queue_depth);
    if (sharing && best.messages.count > 1) plan.pace = costs.G;
    const double communication = costs.G * volume;
    plan.bound = best.messages.count == 1           ? Bound::latency
                 : communication > workload.compute ? Bound::communication
                                                    : Bound::computation;
    return plan;
}

}  // namespace lapwing
