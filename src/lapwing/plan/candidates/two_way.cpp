#include "lapwing/plan/candidates/two_way.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "lapwing/plan/candidates/chain.hpp"
#include "lapwing/plan/candidates/neighbours.hpp"
#include "lapwing/plan/candidates/partition.hpp"
#include "lapwing/plan/candidates/ramps.hpp"
#include "lapwing/plan/candidates/window_search.hpp"
#include "lapwing/plan/costs/known_sizes.hpp"
#include "lapwing/plan/evaluate/reference_times.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

/// The costs as a stream's, so that it has a software pipeline: where all ranks send, one processor
/// pays all overheads.
model::Stream as_stream(const RankCosts& costs) {
    const auto peers = static_cast<double>(costs.peers);
    if (!costs.two_way) return serialised_over_peers(as_receiver(costs), peers);
    model::Stream x = costs.line;
    const LinearCost both{x.o_s.base + x.o_r.base, x.o_s.per_byte + x.o_r.per_byte};
    if (costs.workload.direction == Direction::produce) x.o_s = x.o_r;
    x.o_r = both;
    return serialised_over_peers(x, peers);
}

/// Evaluates partitions by the recurrence of one rank, and keeps the best of each kind.
class TwoWayShortlist {
  public:
    TwoWayShortlist(const Evaluator& evaluator, const CandidateLimits& limits)
        : evaluator_(evaluator),
          costs_(evaluator.costs()),
          limits_(limits),
          // Ranks that exchange were measured so: the next message is initiated when the one before
          // it has been consumed.
          in_bursts_(!costs_.exposed_sizes.empty() && costs_.peers == 1 &&
                     costs_.workload.direction == Direction::fetch) {
        list_.whole = evaluate(Messages::uniform(own(), own(), grain()));
        list_.equal = list_.unequal = list_.whole;
        list_.equal.seconds = list_.unequal.seconds = std::numeric_limits<double>::infinity();
        list_.best = list_.whole;
    }

    [[nodiscard]] bool in_bursts() const { return in_bursts_; }
    [[nodiscard]] Shortlist finish() && { return std::move(list_); }
    [[nodiscard]] const Shortlist& list() const { return list_; }

    /// Equal messages of the sizes whose exposed time was measured.
    void offer_exposed_sizes() {
        for (const std::uint64_t size : measured_sizes(costs_.exposed_sizes, limits_.largest,
                                                       grain(), search_options.most_measured_sizes))
            if (size < own() &&
                (own() + size - 1) / size * costs_.peers <= search_options.most_recurrence_messages)
                offer_equal(size);
    }
    /// Equal messages of many sizes.
    void offer_many_sizes() {
        const std::uint64_t grains = (own() + grain() - 1) / grain();
        const std::uint64_t one_by_one = search_options.most_equal_two_way_one_by_one;
        for (std::uint64_t n = 2;
             n <= grains && n * costs_.peers <= search_options.most_recurrence_messages;
             n += n < one_by_one ? 1 : n / 2) {
            const std::uint64_t size = (grains + n - 1) / n * grain();
            if (size > std::max(limits_.largest, grain())) continue;
            const double seconds = offer_equal(size);
            if (seconds > search_options.hopeless * list_.best.seconds &&
                n > search_options.least_before_hopeless)
                break;
        }
    }
    /// Messages of the software pipeline.
    void offer_chain() {
        const Chain chain(as_stream(costs_), static_cast<double>(own()),
                          static_cast<double>(grain()), costs_.progress.largest);
        Messages messages = best_partition(chain, grain(), {seconds_in(chain), {}}).messages;
        if (messages.count() < 2 ||
            messages.count() * costs_.peers > search_options.most_recurrence_messages)
            return;
        if (costs_.workload.direction == Direction::produce) messages = messages.reversed();
        offer(evaluate(messages), list_.unequal);
    }

  private:
    [[nodiscard]] std::uint64_t own() const { return costs_.bytes_per_peer; }
    [[nodiscard]] std::uint64_t grain() const { return costs_.workload.grain; }

    [[nodiscard]] Evaluated evaluate(const Messages& messages) const {
        Evaluated found = at_best_window(evaluator_.rank(), messages, limits_,
                                         costs_.progress.window, in_bursts_);
        found.candidate.order = costs_.two_way ? PeerOrder::contiguous : PeerOrder::interleaved;
        return found;
    }
    static std::function<double(const Messages&)> seconds_in(const Chain& chain) {
        return [&chain](const Messages& messages) {
            simulate::StreamRecurrence stream(chain.costs);
            for (const auto& [size, count] : messages.runs())
                stream.messages(static_cast<double>(size), static_cast<double>(count));
            return stream.consumed();
        };
    }
    void offer(const Evaluated& found, Evaluated& best_of_its_kind) {
        best_of_its_kind.take_if_faster(found);
        if (found.seconds < (1 - search_options.least_window_gain) * list_.best.seconds)
            list_.best = found;
    }
    double offer_equal(std::uint64_t size) {
        const Evaluated found = evaluate(Messages::uniform(own(), size, grain()));
        offer(found, list_.equal);
        if (costs_.workload.direction == Direction::both)
            offer(evaluate(ramp_up_down(own(), grain(), size)), list_.unequal);
        return found.seconds;
    }

    const Evaluator& evaluator_;
    const RankCosts& costs_;
    const CandidateLimits& limits_;
    bool in_bursts_;
    Shortlist list_;
};

CandidateLimits limits_of(const RankCosts& costs) {
    const Workload& workload = costs.workload;
    const auto own = static_cast<double>(costs.bytes_per_peer);
    CandidateLimits limits;
    limits.peers = costs.peers;
    limits.largest =
        static_cast<std::uint64_t>(std::min(own, std::max(costs.progress.largest, 1.0)));
    limits.max_in_flight = std::min(costs.max_in_flight, search_options.max_window);
    // Of several peers each may be ready when another is not.
    if (costs.two_way && costs.peers == 1) limits.in_flight = costs.progress.in_flight;
    // Of one stream each message is by itself, and what one costs is known at all sizes.
    limits.any_size = (is_piecewise_linear(*costs.link) && costs.exposed_sizes.empty()) ||
                      (workload.pattern == Pattern::stream && !costs.two_way);
    limits.bursts = workload.direction == Direction::fetch &&
                    workload.pattern != Pattern::collective && workload.peers > 1;
    return limits;
}

/// Where the engine's search begins.
class Starts {
  public:
    Starts(const RankCosts& costs, bool in_bursts) : costs_(costs), in_bursts_(in_bursts) {}

    [[nodiscard]] std::vector<Candidate> finish() && { return std::move(starts_); }

    /// One peer after the other first: then it does not matter which of them is ready when.
    void add(const Messages& messages, int window) {
        const PeerOrder order =
            costs_.peers > 1 || costs_.two_way ? PeerOrder::contiguous : PeerOrder::interleaved;
        const int burst = in_bursts_ ? std::max(1, window / 2) : 0;
        starts_.push_back({.messages = messages, .window = window, .burst = burst, .order = order});
        if (costs_.peers > 1 && messages.count() > 1)
            starts_.push_back(
                {.messages = messages, .window = window, .order = PeerOrder::interleaved});
    }
    /// Few messages and short windows disturb others least, and are soonest simulated.
    void add_any_sizes(const Shortlist& list) {
        const std::uint64_t own = costs_.bytes_per_peer;
        const std::uint64_t grain = costs_.workload.grain;
        add(equal_messages(own, grain, 2), 2);
        add(with_short_last(list.whole.candidate.messages, 2, 2), 2);
        for (const Evaluated* each : {&list.best, &list.equal, &list.unequal})
            add(each->candidate.messages, each->candidate.window);
        add(equal_messages(own, grain, 4), 2);
    }
    /// Of measured sizes those about the best, and the largest.
    void add_measured_sizes(const Shortlist& list, std::uint64_t largest) {
        constexpr std::size_t about_the_best = 4;
        const auto& sizes =
            costs_.exposed_sizes.empty() ? costs_.link->bandwidth.sizes : costs_.exposed_sizes;
        const auto add_up_to = [&](std::uint64_t most, std::size_t number) {
            for (const std::uint64_t size :
                 measured_sizes(sizes, std::min(largest, most), costs_.workload.grain, number))
                if (size < costs_.bytes_per_peer)
                    add(Messages::uniform(costs_.bytes_per_peer, size, costs_.workload.grain),
                        list.equal.candidate.window);
        };
        add_up_to(2 * list.equal.candidate.messages.runs().front().size, about_the_best);
        add_up_to(costs_.bytes_per_peer, search_options.most_measured_sizes);
    }

  private:
    const RankCosts& costs_;
    bool in_bursts_;
    std::vector<Candidate> starts_;
};

}  // namespace

TwoWayCandidates two_way_candidates(const Evaluator& evaluator) {
    const RankCosts& costs = evaluator.costs();
    TwoWayCandidates found{.list = {}, .limits = limits_of(costs), .starts = {}};
    TwoWayShortlist shortlist(evaluator, found.limits);
    if (!costs.exposed_sizes.empty()) {
        shortlist.offer_exposed_sizes();
    } else {
        shortlist.offer_many_sizes();
        if (costs.workload.direction != Direction::both) shortlist.offer_chain();
    }
    const Shortlist& list = shortlist.list();
    Starts starts(costs, shortlist.in_bursts());
    starts.add(list.whole.candidate.messages, list.whole.candidate.window);
    if (found.limits.any_size) starts.add_any_sizes(list);
    if (!is_piecewise_linear(*costs.link) || !costs.exposed_sizes.empty())
        starts.add_measured_sizes(list, found.limits.largest);
    found.starts = std::move(starts).finish();
    found.list = std::move(shortlist).finish();
    found.limits.largest = std::max(found.limits.largest, costs.workload.grain);
    return found;
}

double lost_to_queue(const Evaluator& evaluator, const CandidateLimits& limits,
                     const Evaluated& best) {
    if (limits.max_in_flight >= search_options.max_window) return 0;
    CandidateLimits deeper = limits;
    deeper.max_in_flight = search_options.max_window;
    return best.seconds - at_best_window(evaluator.rank(), best.candidate.messages, deeper,
                                         evaluator.costs().progress.window, false)
                              .seconds;
}

}  // namespace lapwing
