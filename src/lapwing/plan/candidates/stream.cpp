#include "lapwing/plan/candidates/stream.hpp"

#include <algorithm>
#include <cstdint>

#include "lapwing/plan/candidates/chain.hpp"
#include "lapwing/plan/candidates/partition.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// Messages in flight: enough that the announcement of a receive has crossed the wire and back
/// before its message is due, even among the shortest.
int pipelined_window(const model::Stream& x, const Messages& messages) {
    std::uint64_t shortest = messages.volume();
    for (const auto& run : messages.runs()) shortest = std::min(shortest, run.size);
    // A message takes the slower of wire and computation; the tenth keeps a stream without
    // computation from wanting as many messages as there are.
    const double busy =
        static_cast<double>(shortest) * std::min(x.G, std::max(x.t, 0.1 * x.G)) + x.o_r.base;
    const double round_trip = 2 * x.L + x.o_s.base + x.o_r.base;
    if (busy * search_options.max_window < round_trip) return search_options.max_window;
    return 2 + static_cast<int>(round_trip / busy);
}

/// The window of a stream's messages.
int stream_window(const RankCosts& costs, const model::Stream& line, const Messages& messages) {
    const LinkCosts& link = *costs.link;
    const auto& runs = messages.runs();
    int window = std::max(pipelined_window(line, messages), costs.progress.window);
    // An eager message that comes before its receive is copied once more.
    std::uint64_t longest = 0;
    for (const auto& run : runs) longest = std::max(longest, run.size);
    if (link.protocol && link.protocol->eager && longest <= *link.protocol->eager)
        window = std::max(window, min_preposted_receives);
    // Where messages share the wire the sender takes turns among them by its pace: they must never
    // wait for the receiver.
    if (std::any_of(runs.begin(), runs.end(),
                    [&](const MessageRun& run) { return shares_wire(link, run.size); }))
        window = search_options.max_window;
    window = std::min({window, search_options.max_window, costs.max_in_flight});
    return static_cast<int>(
        std::min<std::uint64_t>(static_cast<std::uint64_t>(window), messages.count()));
}

/// Partitions of one stream.
class StreamPartitions {
  public:
    explicit StreamPartitions(const Evaluator& evaluator)
        : costs_(evaluator.costs()), stream_(*evaluator.stream()) {}

    /// The fastest in messages of at most `largest` bytes.
    [[nodiscard]] Partition best(double largest) const {
        const Chain chain(stream_.line(), static_cast<double>(costs_.bytes_per_peer),
                          static_cast<double>(costs_.workload.grain), largest);
        return best_partition(
            chain, costs_.workload.grain,
            {[&](const Messages& messages) { return stream_.receiver_seconds(messages); },
             [&](std::uint64_t size) {
                 return stream_.receiver_seconds(costs_.bytes_per_peer, size);
             }});
    }
    /// Offers equal messages of measured sizes.
    void offer_measured(Partition& best) const {
        for (const std::uint64_t size : stream_.measured_sizes())
            if (size < costs_.bytes_per_peer && size % costs_.workload.grain == 0 &&
                static_cast<double>(size) <= costs_.progress.largest)
                best.offer_equal(size, stream_.receiver_seconds(costs_.bytes_per_peer, size),
                                 costs_.workload.grain);
    }
    /// A partition as a candidate. What is best received first is best sent last.
    [[nodiscard]] Evaluated candidate(const Partition& partition) const {
        const bool reversed =
            costs_.workload.direction == Direction::produce && partition.messages.count() > 1;
        const Messages messages = reversed ? partition.messages.reversed() : partition.messages;
        return {{.messages = messages, .window = stream_window(costs_, stream_.line(), messages)},
                reversed ? stream_.seconds(messages) : partition.seconds};
    }

  private:
    const RankCosts& costs_;
    const StreamRecurrence& stream_;
};

/// The engine's choice where messages straddle the eager limit; messages that are all eager where
/// the engine is too slow. `best`: by the closed form. `eager`: the best of eager messages.
Evaluated across_eager_limit(const Evaluator& evaluator, const Evaluated& best,
                             const Evaluated& eager) {
    if (!evaluator.can_simulate(best.candidate)) return eager;
    Evaluated fastest;
    const auto try_one = [&](const Candidate& candidate) {
        if (!evaluator.can_simulate(candidate)) return;
        const double seconds =
            evaluator.engine().run(evaluator.costs().workload, candidate).seconds;
        if (seconds < (1 - search_options.least_gain) * fastest.seconds)
            fastest = {candidate, seconds};
    };
    const std::uint64_t count = best.candidate.messages.count();
    const int most = static_cast<int>(std::min<std::uint64_t>(
        count, static_cast<std::uint64_t>(
                   std::min(search_options.max_window, evaluator.costs().max_in_flight))));
    Candidate wider = best.candidate;
    try_one(wider);
    while (wider.window < most) {
        wider.window = std::min(2 * wider.window, most);
        try_one(wider);
    }
    try_one(eager.candidate);
    return fastest;
}

}  // namespace

Shortlist stream_candidates(const Evaluator& evaluator) {
    const RankCosts& costs = evaluator.costs();
    const StreamPartitions partitions(evaluator);
    Partition best = partitions.best(costs.progress.largest);
    const auto overtaken_above = static_cast<double>(evaluator.stream()->overtaken_above());
    if (overtaken_above > 0 && overtaken_above < std::min(costs.progress.largest, costs.volume()))
        best.offer(partitions.best(overtaken_above));
    partitions.offer_measured(best);

    Shortlist list;
    list.best = partitions.candidate(best);
    const std::uint64_t own = costs.bytes_per_peer;
    const Messages whole = Messages::uniform(own, own, costs.workload.grain);
    list.whole = {{.messages = whole, .window = 1}, best.times.whole};
    list.unequal.seconds = best.times.unequal;
    if (best.times.size > 0)
        list.equal = {{.messages = Messages::uniform(own, best.times.size, costs.workload.grain)},
                      best.times.equal};
    if (evaluator.needs_engine(list.best.candidate)) {
        const auto eager = static_cast<double>(*costs.link->protocol->eager);
        list.best =
            across_eager_limit(evaluator, list.best, partitions.candidate(partitions.best(eager)));
    }
    return list;
}

}  // namespace lapwing
