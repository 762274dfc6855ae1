#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "lapwing/plan/candidates/measured_sizes.hpp"
#include "lapwing/plan/candidates/neighbours.hpp"
#include "lapwing/plan/candidates/shortlist.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/linearity.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

/// The costs as a stream's, so that it has a software pipeline, of one message to each peer, one
/// after another. Where all ranks send, one processor pays all overheads.
model::Stream as_stream(const RankCosts& costs) {
    const auto peers = static_cast<double>(costs.peers);
    model::Stream x = as_receiver(costs);
    if (costs.two_way) {
        const LinearCost both{x.o_s.base + x.o_r.base, x.o_s.per_byte + x.o_r.per_byte};
        if (costs.workload.direction == Direction::produce) x.o_s = x.o_r;
        x.o_r = both;
    }
    x.o_r *= peers;
    x.G *= peers;
    x.h *= peers;
    x.t *= peers;
    return x;
}

/// `messages` at the window that suits them, by the recurrence of one rank: the narrowest of those
/// that are hardly slower, and no narrower than what progress needs.
Evaluated at_best_window(const Evaluator& evaluator, const Messages& messages,
                         const CandidateLimits& limits) {
    constexpr std::array<int, 10> windows = {1, 2,  3,  4,  6,
                                             8, 12, 16, 32, search_options.max_window};
    const int most = max_window(messages, limits);
    Evaluated best{{.messages = messages}};
    int last = 0;
    int slower_in_a_row = 0;
    for (const int each : windows) {
        const int window = std::min(std::max(each, evaluator.costs().progress.window), most);
        if (window == last) continue;
        last = window;
        const double seconds = evaluator.rank().seconds(messages, window);
        if (seconds < (1 - search_options.least_window_gain) * best.seconds) {
            best.candidate.window = window;
            best.seconds = seconds;
            slower_in_a_row = 0;
        } else if (++slower_in_a_row == 2) {
            break;
        }
    }
    return best;
}

/// `volume` bytes in messages that grow from a small first one and shrink to a small last one, by
/// factors of two, with messages of `largest` bytes between: for computation on both sides of a
/// message, where neither end is hidden.
Messages ramp_up_down(std::uint64_t volume, std::uint64_t grain, std::uint64_t largest) {
    // Messages of less than a 64th of the largest cost more overhead than they hide.
    constexpr std::uint64_t smallest_share = 64;
    Messages messages(grain);
    for (std::uint64_t size = grain; size < largest && 2 * (messages.volume() + size) < volume;
         size *= 2)
        if (size * smallest_share >= largest) messages.append(size);
    const Messages down = messages.reversed();
    const std::uint64_t middle = (volume - 2 * down.volume()) / grain * grain;
    messages.append(largest, middle / largest);
    messages.append(middle % largest);
    for (const std::uint64_t size : down) messages.append(size);
    messages.extend_last(volume - messages.volume());
    return messages;
}

CandidateLimits limits_of(const RankCosts& costs) {
    const Workload& workload = costs.workload;
    CandidateLimits limits{.peers = costs.peers};
    limits.largest = static_cast<std::uint64_t>(
        std::min(static_cast<double>(costs.bytes_per_peer), std::max(costs.progress.largest, 1.0)));
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

/// Evaluates partitions by the recurrence of one rank, keeps the best of each kind, and tells where
/// the engine's search begins.
class TwoWay {
  public:
    explicit TwoWay(const Evaluator& evaluator)
        : evaluator_(evaluator),
          costs_(evaluator.costs()),
          own_(costs_.bytes_per_peer),
          grain_(costs_.workload.grain),
          // Ranks that exchange were measured so: the next message is initiated when the one before
          // it has been consumed.
          in_bursts_(!costs_.exposed_sizes.empty() && costs_.peers == 1 &&
                     costs_.workload.direction == Direction::fetch) {
        found_.limits = limits_of(costs_);
    }

    TwoWayCandidates find() && {
        Shortlist& list = found_.list;
        list.whole = list.best = evaluate(uniform(own_));
        list.equal = list.unequal = {list.whole.candidate};
        if (!costs_.exposed_sizes.empty()) {
            offer_exposed_sizes();
        } else {
            offer_many_sizes();
            if (costs_.workload.direction != Direction::both) offer_chain();
        }
        start(list.whole.candidate.messages, list.whole.candidate.window);
        if (found_.limits.any_size) start_at_any_sizes();
        if (!is_piecewise_linear(*costs_.link) || !costs_.exposed_sizes.empty())
            start_at_measured_sizes();
        found_.limits.largest = std::max(found_.limits.largest, grain_);
        return std::move(found_);
    }

  private:
    [[nodiscard]] Messages uniform(std::uint64_t size) const {
        return Messages::uniform(own_, size, grain_);
    }
    /// Whether the recurrence has time for `count` messages with each peer.
    [[nodiscard]] bool is_quick(std::uint64_t count) const {
        return count * costs_.peers <= search_options.most_recurrence_messages;
    }
    /// The `count` largest measured sizes up to `most` bytes, without that of a single message. A
    /// collective is a message of such a size to each of the others.
    [[nodiscard]] std::vector<std::uint64_t> measured(std::uint64_t most, std::size_t count) const {
        std::vector<std::uint64_t> sizes =
            costs_.exposed_sizes.empty() ? costs_.link->bandwidth.sizes : costs_.exposed_sizes;
        if (costs_.workload.pattern == Pattern::collective)
            for (std::uint64_t& size : sizes) size *= costs_.workload.ranks - 1;
        auto found = measured_sizes(sizes, std::min(found_.limits.largest, most), grain_, count);
        std::erase_if(found, [&](std::uint64_t size) { return size >= own_; });
        return found;
    }
    [[nodiscard]] Evaluated evaluate(const Messages& messages) const {
        Evaluated found = at_best_window(evaluator_, messages, found_.limits);
        if (in_bursts_) found.candidate.burst = found.candidate.window / 2;
        if (!costs_.two_way) found.candidate.order = PeerOrder::interleaved;
        return found;
    }
    void offer(const Evaluated& offered, Evaluated& best_of_its_kind) {
        best_of_its_kind.take_if_faster(offered);
        found_.list.best.take_if_faster(offered, search_options.least_window_gain);
    }
    double offer_equal(std::uint64_t size) {
        const Evaluated offered = evaluate(uniform(size));
        offer(offered, found_.list.equal);
        if (costs_.workload.direction == Direction::both)
            offer(evaluate(ramp_up_down(own_, grain_, size)), found_.list.unequal);
        return offered.seconds;
    }
    void offer_exposed_sizes() {
        for (const std::uint64_t size : measured(own_, search_options.most_measured_sizes))
            if (is_quick((own_ + size - 1) / size)) offer_equal(size);
    }
    void offer_many_sizes() {
        const std::uint64_t grains = (own_ + grain_ - 1) / grain_;
        const std::uint64_t one_by_one = search_options.most_equal_two_way_one_by_one;
        for (std::uint64_t n = 2; n <= grains && is_quick(n); n += n < one_by_one ? 1 : n / 2) {
            const std::uint64_t size = (grains + n - 1) / n * grain_;
            if (size > std::max(found_.limits.largest, grain_)) continue;
            const double seconds = offer_equal(size);
            if (seconds > search_options.hopeless * found_.list.best.seconds &&
                n > search_options.least_before_hopeless)
                break;
        }
    }
    /// Messages of the software pipeline.
    void offer_chain() {
        const model::Stream x = as_stream(costs_);
        const Shortlist list = chain_candidates(
            x, uniform(own_), costs_.progress.largest, [&x](const Messages& messages) {
                simulate::StreamRecurrence stream(x);
                for (const auto& [size, count] : messages.runs())
                    stream.messages(static_cast<double>(size), static_cast<double>(count));
                return stream.consumed();
            });
        const Messages& messages = list.best.candidate.messages;
        if (messages.count() < 2 || !is_quick(messages.count())) return;
        const bool produces = costs_.workload.direction == Direction::produce;
        offer(evaluate(produces ? messages.reversed() : messages), found_.list.unequal);
    }

    /// One peer after the other first: then it does not matter which of them is ready when.
    void start(const Messages& messages, int window) {
        Candidate candidate{.messages = messages, .window = window};
        if (in_bursts_) candidate.burst = std::max(1, window / 2);
        if (costs_.peers == 1 && !costs_.two_way) candidate.order = PeerOrder::interleaved;
        found_.starts.push_back(candidate);
        if (costs_.peers == 1 || messages.count() == 1) return;
        candidate.order = PeerOrder::interleaved;
        found_.starts.push_back(candidate);
    }
    /// Few messages and short windows disturb others least, and are soonest simulated.
    void start_at_any_sizes() {
        const Messages whole = uniform(own_);
        start(with_short_last(whole, 2), 2);
        start(with_short_last(whole, 2, 2), 2);
        const Shortlist& list = found_.list;
        for (const Evaluated* each : {&list.best, &list.equal, &list.unequal})
            start(each->candidate.messages, each->candidate.window);
        start(with_short_last(whole, 4), 2);
    }
    /// Those about the best, and the largest.
    void start_at_measured_sizes() {
        const Candidate& best = found_.list.equal.candidate;
        for (const std::uint64_t size : measured(2 * best.messages.runs().front().size, 4))
            start(uniform(size), best.window);
        for (const std::uint64_t size : measured(own_, search_options.most_measured_sizes))
            start(uniform(size), best.window);
    }

    const Evaluator& evaluator_;
    const RankCosts& costs_;
    std::uint64_t own_;    ///< bytes
    std::uint64_t grain_;  ///< bytes
    bool in_bursts_;
    TwoWayCandidates found_;
};

}  // namespace

TwoWayCandidates two_way_candidates(const Evaluator& evaluator) { return TwoWay(evaluator).find(); }

double lost_to_queue(const Evaluator& evaluator, const CandidateLimits& limits,
                     const Evaluated& best) {
    if (limits.max_in_flight >= search_options.max_window) return 0;
    CandidateLimits deeper = limits;
    deeper.max_in_flight = search_options.max_window;
    return best.seconds - at_best_window(evaluator, best.candidate.messages, deeper).seconds;
}

}  // namespace lapwing
