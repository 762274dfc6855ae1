#include "lapwing/plan/candidates/independent.hpp"

#include <algorithm>

#include "lapwing/plan/costs/known_sizes.hpp"
#include "lapwing/plan/evaluate/independent.hpp"
#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

/// All messages are initiated before the computation, as far as the queue takes them.
Candidate initiated_at_once(const RankCosts& costs, Messages messages) {
    constexpr std::uint64_t most = 1U << 20U;
    const std::uint64_t count = std::min(messages.count() * costs.peers, most);
    return {.messages = std::move(messages),
            .window = std::min(static_cast<int>(count), costs.max_in_flight)};
}

}  // namespace

Shortlist independent_candidates(const Evaluator& evaluator) {
    const RankCosts& costs = evaluator.costs();
    const std::uint64_t own = costs.bytes_per_peer;
    const std::uint64_t grain = costs.workload.grain;
    const double largest = std::min(costs.progress.largest, static_cast<double>(own));
    const auto evaluated = [&](std::uint64_t size) {
        const Messages messages = Messages::uniform(own, size, grain);
        const double seconds = independent_seconds(costs, messages, 0);
        return Evaluated{initiated_at_once(costs, messages), seconds};
    };
    Shortlist list;
    list.whole = evaluated(own);
    const auto grains = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(largest) / grain);
    list.best =
        largest < static_cast<double>(own) ? evaluated(std::min(own, grains * grain)) : list.whole;
    if (!is_piecewise_linear(*costs.link)) {
        for (const std::uint64_t size :
             measured_sizes(costs.link->bandwidth.sizes, static_cast<std::uint64_t>(largest), grain,
                            search_options.most_measured_sizes)) {
            const Evaluated pieces = evaluated(size);
            if (pieces.seconds < (1 - search_options.least_gain) * list.best.seconds)
                list.best = pieces;
        }
    }
    return list;
}

}  // namespace lapwing
