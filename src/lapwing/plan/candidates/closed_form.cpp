#include <algorithm>
#include <cstdint>
#include <utility>

#include "lapwing/plan/candidates/measured_sizes.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/evaluate/closed_forms.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/linearity.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// `window`, or what messages, queue and planner allow.
int at_most(int window, const RankCosts& costs, const Messages& messages) {
    window = std::min({window, search_options.max_window, costs.max_in_flight});
    return static_cast<int>(std::min(static_cast<std::uint64_t>(window), messages.count()));
}

/// The window of a stream's messages: enough that the announcement of a receive has crossed the
/// wire and back before its message is due, even among the shortest.
int stream_window(const RankCosts& costs, const model::Stream& x, const Messages& messages) {
    const LinkCosts& link = *costs.link;
    const auto [shortest, longest] = std::ranges::minmax(messages.runs(), {}, &MessageRun::size);
    // A message takes the slower of wire and computation; the tenth keeps a stream without
    // computation from wanting as many messages as there are.
    const double busy =
        static_cast<double>(shortest.size) * std::min(x.G, std::max(x.t, 0.1 * x.G)) + x.o_r.base;
    const double round_trip = 2 * x.L + x.o_s.base + x.o_r.base;
    int window = busy * search_options.max_window < round_trip
                     ? search_options.max_window
                     : std::max(2 + static_cast<int>(round_trip / busy), costs.progress.window);
    // An eager message that comes before its receive is copied once more.
    if (link.protocol && link.protocol->eager && longest.size <= *link.protocol->eager)
        window = std::max(window, min_preposted_receives);
    // Where messages share the wire the sender takes turns among them by its pace: they must never
    // wait for the receiver.
    if (std::ranges::any_of(messages.runs(),
                            [&](const MessageRun& run) { return shares_wire(link, run.size); }))
        window = search_options.max_window;
    return at_most(window, costs, messages);
}

/// The gain that makes `count` messages worth more than `than`: more of them must save time.
double worthwhile(std::uint64_t count, std::uint64_t than) {
    const double more = count > than ? static_cast<double>(count - than) : 0;
    return std::min(search_options.least_gain, search_options.gain_per_message * more);
}

void take_if_worth(Evaluated& best, const Evaluated& other) {
    best.take_if_faster(
        other, worthwhile(other.candidate.messages.count(), best.candidate.messages.count()));
}

/// Partitions of one stream, whose seconds are those of a receiver.
class StreamPartitions {
  public:
    explicit StreamPartitions(const Evaluator& evaluator)
        : costs_(evaluator.costs()), stream_(*evaluator.stream()) {}

    /// The best of each kind in messages of at most `largest` bytes, or a grain.
    [[nodiscard]] Shortlist best(double largest) const {
        const std::uint64_t own = costs_.bytes_per_peer;
        Shortlist list = chain_candidates(
            stream_.line(), Messages::uniform(own, own, grain()), largest,
            [&](const Messages& messages) { return stream_.receiver_seconds(messages); });
        list.equal = best_equal(std::max(largest, static_cast<double>(grain())));
        take_if_worth(list.best, list.equal);
        return list;
    }
    /// Offers equal messages of measured sizes.
    void offer_measured(Shortlist& list) const {
        for (const std::uint64_t size : stream_.measured_sizes()) {
            if (size >= costs_.bytes_per_peer || size % grain() != 0 ||
                static_cast<double>(size) > costs_.progress.largest ||
                seconds(size) >= std::max(list.equal.seconds, list.best.seconds))
                continue;
            const Evaluated offered = equal(size);
            list.equal.take_if_faster(offered);
            take_if_worth(list.best, offered);
        }
    }
    /// A partition as a candidate, with its window. What is best received first is best sent last.
    [[nodiscard]] Evaluated candidate(const Evaluated& partition) const {
        Evaluated found = partition;
        Messages& messages = found.candidate.messages;
        if (costs_.workload.direction == Direction::produce && messages.count() > 1) {
            messages = messages.reversed();
            found.seconds = stream_.seconds(messages);
        }
        found.candidate.window = stream_window(costs_, stream_.line(), messages);
        return found;
    }

  private:
    [[nodiscard]] std::uint64_t grain() const { return costs_.workload.grain; }
    [[nodiscard]] double seconds(std::uint64_t size) const {
        return stream_.receiver_seconds(costs_.bytes_per_peer, size);
    }
    [[nodiscard]] Evaluated equal(std::uint64_t size) const {
        const double takes = seconds(size);
        return {{.messages = Messages::uniform(costs_.bytes_per_peer, size, grain())}, takes};
    }
    /// Equal messages of the best of many sizes up to `largest` bytes.
    [[nodiscard]] Evaluated best_equal(double largest) const {
        const std::uint64_t grains = (costs_.bytes_per_peer + grain() - 1) / grain();
        double best = Evaluated().seconds;
        std::uint64_t best_size = 0;
        std::uint64_t chosen = 0;  // messages
        for (std::uint64_t n = 2; n <= grains && n <= search_options.most_equal;
             n += n < search_options.most_equal_one_by_one ? 1 : n / 16) {
            const std::uint64_t size = (grains + n - 1) / n * grain();
            if (static_cast<double>(size) > largest) continue;
            const double takes = seconds(size);
            if (takes >= (1 - worthwhile(n, chosen)) * best) continue;
            best = takes;
            best_size = size;
            chosen = n;
        }
        return chosen > 0 ? equal(best_size) : Evaluated();
    }

    const RankCosts& costs_;
    const StreamRecurrence& stream_;
};

/// The engine's choice where messages straddle the eager limit; messages that are all eager where
/// the engine is too slow. `best`: by the closed form. `eager`: the best of eager messages.
Evaluated across_eager_limit(const Evaluator& evaluator, const Evaluated& best,
                             const Evaluated& eager) {
    if (!evaluator.can_simulate(best.candidate)) return eager;
    const RankCosts& costs = evaluator.costs();
    Evaluated fastest;
    const auto try_one = [&](const Candidate& candidate) {
        if (evaluator.can_simulate(candidate))
            fastest.take_if_faster(
                {candidate, evaluator.engine().run(costs.workload, candidate).seconds},
                search_options.least_gain);
    };
    const int most = at_most(search_options.max_window, costs, best.candidate.messages);
    Candidate wider = best.candidate;
    try_one(wider);
    while (wider.window < most) {
        wider.window = std::min(2 * wider.window, most);
        try_one(wider);
    }
    try_one(eager.candidate);
    return fastest;
}

Shortlist stream_candidates(const Evaluator& evaluator) {
    const RankCosts& costs = evaluator.costs();
    const StreamPartitions partitions(evaluator);
    Shortlist list = partitions.best(costs.progress.largest);
    const auto overtaken_above = static_cast<double>(evaluator.stream()->overtaken_above());
    if (overtaken_above > 0 && overtaken_above < std::min(costs.progress.largest, costs.volume())) {
        const Shortlist shorter = partitions.best(overtaken_above);
        list.equal.take_if_faster(shorter.equal);
        list.unequal.take_if_faster(shorter.unequal);
        take_if_worth(list.best, shorter.best);
    }
    partitions.offer_measured(list);
    list.best = partitions.candidate(list.best);
    if (evaluator.needs_engine(list.best.candidate)) {
        const auto eager = static_cast<double>(*costs.link->protocol->eager);
        list.best = across_eager_limit(evaluator, list.best,
                                       partitions.candidate(partitions.best(eager).best));
    }
    return list;
}

Shortlist independent_candidates(const Evaluator& evaluator) {
    const RankCosts& costs = evaluator.costs();
    const std::uint64_t own = costs.bytes_per_peer;
    const std::uint64_t grain = costs.workload.grain;
    constexpr std::uint64_t most_at_once = 1U << 20U;
    const auto evaluated = [&](std::uint64_t size) {
        Messages messages = Messages::uniform(own, size, grain);
        const double seconds = independent_seconds(costs, messages, 0);
        // All are initiated before the computation, as far as the queue takes them.
        const auto queue = static_cast<std::uint64_t>(costs.max_in_flight);
        const std::uint64_t window =
            std::min({messages.count() * costs.peers, queue, most_at_once});
        return Evaluated{{.messages = std::move(messages), .window = static_cast<int>(window)},
                         seconds};
    };
    Shortlist list;
    list.whole = list.best = evaluated(own);
    const double largest = std::min(costs.progress.largest, static_cast<double>(own));
    const auto most = static_cast<std::uint64_t>(largest);
    if (largest < static_cast<double>(own))
        list.best = evaluated(std::min(own, std::max(most / grain * grain, grain)));
    if (is_piecewise_linear(*costs.link)) return list;
    for (const std::uint64_t size : measured_sizes(costs.link->bandwidth.sizes, most, grain,
                                                   search_options.most_measured_sizes))
        list.best.take_if_faster(evaluated(size), search_options.least_gain);
    return list;
}

}  // namespace

Shortlist closed_form_candidates(const Evaluator& evaluator) {
    return is_independent(evaluator.costs().workload) ? independent_candidates(evaluator)
                                                      : stream_candidates(evaluator);
}

}  // namespace lapwing
