#include "lapwing/plan/stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/cut.hpp"
#include "lapwing/simulate/stream.hpp"

namespace lapwing {
namespace {

/// Messages grow no further than to where the overhead of one is this share of the time it takes:
/// larger ones save nothing and make the plan brittle against a wrong estimate of the computation.
constexpr double worthwhile_overhead = 0.001;

/// A message more is worth its risk where it saves this share of the time.
constexpr double worthwhile_message = 1e-6;

/// Beyond this many messages the candidates beside the chain's own are not played.
constexpr int most_played = 64;

/// Chains are no longer than this: what a longer one would still save is not worth planning it.
constexpr int most_chained = 512;

/// The chain and its costs, sizes as real numbers.
struct Chain {
    model::Stream costs;
    double volume;
    double ratio;      ///< S_{k+1} = ratio S_k + increment: arrives when the one before is consumed
    double increment;  ///< bytes
    double largest;    ///< bytes a message may have
    double cap;        ///< bytes beyond which a longer message saves nothing

    /// `most` bytes a message may have, but for the grain.
    Chain(const model::Stream& x, double bytes, double grain, double most)
        : costs(x),
          volume(bytes),
          ratio((x.t + x.o_r.per_byte) / x.G),
          increment((x.o_r.base - x.h) / x.G),
          largest(std::max(grain, most)) {
        const double overhead = std::max(x.o_s.base, x.o_r.base);
        const double worth = overhead / (worthwhile_overhead * x.G * std::max(1.0, ratio));
        cap = std::max(grain, std::min(most, worth));
    }

    /// Size of the message after, or before, one of `size` bytes.
    [[nodiscard]] double after(double size) const { return ratio * size + increment; }
    [[nodiscard]] double before(double size) const { return (size - increment) / ratio; }
};

/// The chain of `n` messages. The sender issues its second message `o_s` after the first; where
/// that is after the first has left, the second is shorter than the chain would have it, by as
/// much as it is late, and the chain starts from there.
Messages chain_of(const Chain& chain, std::uint64_t grain, int n) {
    const auto& x = chain.costs;
    Cut cut(static_cast<std::uint64_t>(chain.volume), grain);
    double size = model::chain_first(x, chain.volume, n);
    int left = n;
    if (n > 1) {
        const double issue_rate = x.o_s.per_byte + x.G;
        const double late = (x.o_r.base - x.o_s.base) / issue_rate;  // headers cancel
        const double late_ratio = (x.G + x.t + x.o_r.per_byte) / issue_rate;
        if (late + late_ratio * size < chain.after(size)) {
            const auto rest = model::geometric_sums(chain.ratio, n - 1);
            const double opening =
                (chain.volume - chain.increment * rest.second - rest.first * late) /
                (1 + rest.first * late_ratio);
            cut.message(opening);
            size = late + late_ratio * opening;
            --left;
        }
    }
    for (; left > 0; --left) {
        cut.message(size);
        size = chain.after(size);
    }
    return cut.finish();
}

/// A chain that stays below the cap, followed from its small end, and equal messages of about the
/// cap for the rest of the volume, behind it or, if the chain shrinks towards its end, before it.
Messages capped(const Chain& chain, std::uint64_t grain, double small_end, bool growing) {
    std::vector<double> chained;
    double size = std::max(small_end, static_cast<double>(grain));
    double sum = 0;
    while (size < chain.cap && sum + size < chain.volume &&
           chained.size() < static_cast<std::size_t>(most_chained)) {
        chained.push_back(size);
        sum += size;
        const double next = growing ? chain.after(size) : chain.before(size);
        if (!(next > size)) break;
        size = next;
    }
    const double count = std::max(1.0, std::ceil((chain.volume - sum) / chain.cap));
    Cut cut(static_cast<std::uint64_t>(chain.volume), grain);
    if (!growing) {
        cut.equal(chain.volume - sum, static_cast<std::uint64_t>(count), growing);
        std::reverse(chained.begin(), chained.end());
    }
    for (const double message : chained) cut.message(message);
    if (growing) cut.equal(chain.volume - sum, static_cast<std::uint64_t>(count), growing);
    return cut.finish();
}

/// Seconds until the last message is consumed, in time that grows with the runs.
double play(const model::Stream& x, const Messages& messages) {
    simulate::StreamPlay play(x);
    for (const auto& [size, count] : messages.runs())
        play.messages(static_cast<double>(size), static_cast<double>(count));
    return play.consumed();
}

/// What a producer's messages take: time runs backwards from the last of them.
double play_backwards(const model::Stream& x, const Messages& messages) {
    simulate::StreamPlay play(x);
    const auto& runs = messages.runs();
    for (std::size_t i = runs.size(); i-- > 0;)
        play.messages(static_cast<double>(runs[i].size), static_cast<double>(runs[i].count));
    return play.consumed();
}

/// Plays candidates and keeps the fastest; not splitting is the first of them.
struct Best {
    const Chain& chain;
    Messages messages;
    double seconds;

    Best(const Chain& all, std::uint64_t grain)
        : chain(all),
          messages(Messages::uniform(volume(), volume(), grain)),
          seconds(model::blocking(all.costs, all.volume)) {}

    /// Whether the candidate is the fastest so far.
    bool offer(Messages candidate) {
        const double played = play(chain.costs, candidate);
        if (!(played < seconds)) return false;
        seconds = played;
        messages = std::move(candidate);
        return true;
    }
    /// Seconds that messages of `size` bytes each take, as many as it needs of them.
    [[nodiscard]] double uniform(std::uint64_t size) const {
        simulate::StreamPlay play(chain.costs);
        const std::uint64_t whole = volume() / size;
        play.messages(static_cast<double>(size), static_cast<double>(whole));
        if (const std::uint64_t rest = volume() % size; rest > 0)
            play.message(static_cast<double>(rest));
        return play.consumed();
    }
    [[nodiscard]] std::uint64_t volume() const { return static_cast<std::uint64_t>(chain.volume); }
};

Best choose(const Chain& chain, std::uint64_t grain) {
    Best best(chain, grain);
    const auto& x = chain.costs;
    const auto least = static_cast<double>(grain);
    const int most = static_cast<int>(std::min(chain.volume / least, 1e6));

    // The chain's shortest message is one of its ends, and no shorter than a grain.
    int count =
        std::min({model::chain_count(x, chain.volume, worthwhile_message), most, most_chained});
    double first = 0;
    double last = 0;
    for (;; count -= 1 + count / 16) {
        first = model::chain_first(x, chain.volume, count);
        const auto sums = model::geometric_sums(chain.ratio, count - 1);
        last = sums.powers * first + chain.increment * sums.first;
        if (count <= 1 || std::min(first, last) >= least) break;
    }
    if (count > 1 && std::max(first, last) > chain.cap) {
        best.offer(capped(chain, grain, std::min(first, last), first < last));
    } else if (count > 1) {
        best.offer(chain_of(chain, grain, count));
        // Rounding to the grain and a slow sender favour a message or more fewer.
        for (int n = count - 1; n > 1 && count <= most_played; n -= 1 + n / 8)
            if (!best.offer(chain_of(chain, grain, n)) && n + 2 < count) break;
    }
    const auto grains = static_cast<std::uint64_t>(std::ceil(chain.volume / least));
    std::uint64_t equal = 0;
    double least_seconds = best.seconds;
    for (std::uint64_t n = 2; n <= grains && n <= 65536; n += n < 128 ? 1 : n / 16) {
        const std::uint64_t size = (grains + n - 1) / n * grain;
        if (static_cast<double>(size) > chain.largest) continue;
        if (const double seconds = best.uniform(size); seconds < least_seconds) {
            least_seconds = seconds;
            equal = size;
        }
    }
    if (equal > 0) best.offer(Messages::uniform(best.volume(), equal, grain));
    return best;
}

/// How large messages should be where larger ones wait for somebody to call the transport.
struct Attendance {
    double largest = std::numeric_limits<double>::infinity();  ///< bytes
    double stalled = 0;        ///< seconds per byte that are not hidden at that size
    int window = 1;            ///< messages in flight it takes
    double poll_interval = 0;  ///< seconds; 0 where polling gains nothing
    std::string_view reason;   ///< of polling, or of not polling
};

/// Weighs, for each size measured, what its messages leave unhidden against the overhead of having
/// as many of them.
Attendance attendance(const Progress& progress, const model::Stream& x) {
    constexpr double advancing = 0.98;  // what is nearer to all than this is all
    const auto all_advance = std::all_of(progress.unattended.begin(), progress.unattended.end(),
                                         [](double share) { return share >= advancing; });
    Attendance best;
    best.reason = progress.sizes.empty() ? "whether messages advance alone was not measured"
                                         : "messages advance while nobody calls";
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
            best = {size, stalled, progress.window[i], poll ? progress.poll_interval : 0,
                    poll ? "messages stall while nobody calls" : "it would hide little more"};
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
    std::uint64_t least_bytes = messages.volume();
    for (const auto& run : messages.runs()) least_bytes = std::min(least_bytes, run.size);
    const auto shortest = static_cast<double>(least_bytes);
    const double busy = shortest * std::min(x.G, std::max(x.t, 0.1 * x.G)) + x.o_r.base;
    const double idle = 2 * x.L + x.o_s.base + x.o_r.base;
    // Where all in flight share the wire the sender takes turns among them by its pace: the
    // receiver must never be what they wait for.
    if (sharing) least = most;
    int depth = busy * most < idle ? most : 2 + static_cast<int>(idle / busy);
    depth = std::min(std::max(depth, least), most);
    if (queue_depth) depth = std::min(depth, std::max(1, *queue_depth - 1));
    return static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(depth), messages.count()));
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
    Best best = choose(chain, workload.grain);
    // What splitting leaves unhidden may be more than what it hides.
    double seconds = best.seconds + attended.stalled * volume;
    if (producing && best.messages.count() > 1) {
        best.messages = best.messages.reversed();
        seconds = play_backwards(costs, best.messages) + attended.stalled * volume;
    }
    if (best.messages.count() > 1 && seconds < plan.blocking) {
        plan.messages = std::move(best.messages);
        plan.predicted = seconds;
        plan.poll_interval = attended.poll_interval;
        plan.poll_reason = attended.reason;
    } else {
        plan.messages = Messages::uniform(workload.volume, workload.volume, workload.grain);
        plan.predicted = plan.blocking;
        plan.poll_reason = "nothing is overlapped";
    }
    const bool sharing = profile.nic == Nic::sharing;
    plan.window = window(chain, plan.messages, attended.window, sharing, profile.queue_depth);
    if (sharing && plan.messages.count() > 1) plan.pace = costs.G;
    const double communication = costs.G * volume;
    plan.bound = plan.messages.count() == 1         ? Bound::latency
                 : communication > workload.compute ? Bound::bandwidth
                                                    : Bound::computation;
    return plan;
}

}  // namespace lapwing
