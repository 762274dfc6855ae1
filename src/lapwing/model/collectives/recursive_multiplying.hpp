#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

/// A sum over all ranks by recursive multiplying (Ruefenacht, Bull and Booth, "Generalisation of
/// recursive doubling for AllReduce", Parallel Computing 69, 2017). In each round the ranks form
/// groups, in which each sends its partial sum to all others. Groups of two are recursive doubling.
/// Messages are short: their bytes take no time.
namespace lapwing::model::recursive_multiplying {

/// Sizes of the groups, by round. Their product is the number of cores, which is more than half of
/// the ranks. Each other rank first hands its value to a core, which tells it the sum in the end.
using Groups = std::vector<int>;

/// Groups of two: recursive doubling.
[[nodiscard]] inline Groups doubling(int ranks) {
    Groups groups;
    for (int left = ranks; left > 1; left /= 2) groups.push_back(2);
    return groups;
}

[[nodiscard]] inline int cores(const Groups& groups) {
    return std::accumulate(groups.begin(), groups.end(), 1, std::multiplies<>());
}

/// Whether `ranks` ranks can form such groups.
[[nodiscard]] inline bool possible(const Groups& groups, int ranks) {
    int left = ranks;
    for (const int size : groups) {
        if (size < 2) return false;
        left /= size;
    }
    return left == 1;
}

/// The costs of a sum, in seconds.
struct Costs {
    double round = 0;    ///< a round in groups of two: `L + 2 o`
    double message = 0;  ///< the processor's part in sending a message and receiving one: `2 o`
};

/// Other work of the processor during the sum.
struct Behind {
    double seconds = 0;   ///< computation that can hide the sum
    double messages = 0;  ///< messages sent and received meanwhile
};

/// Seconds of a sum and of the work that hides it: the longer of its rounds, in groups of `k_i`,
///
///     sum_i [L + 2 o + (k_i - 2) o] + (2 (L + 2 o) if some ranks are no cores)
///
/// and of the processor's work: `behind`, and `2 o` for each message, of which there are
/// `sum_i (k_i - 1)`, and one more if some ranks are no cores.
[[nodiscard]] inline double total(const Groups& groups, int ranks, const Costs& costs,
                                  const Behind& behind) {
    const double folded = cores(groups) < ranks ? 1 : 0;
    double rounds = 2 * folded * costs.round;
    double messages = behind.messages + folded;
    for (const int size : groups) {
        rounds += costs.round + (size - 2) * costs.message / 2;
        messages += size - 1;
    }
    return std::max(rounds, behind.seconds + messages * costs.message);
}

/// Calls `visit(groups)` for all possible groups of up to `largest` for `ranks` ranks, small groups
/// first: if there is work to hide the sum, messages are its cost. `groups`: those of the rounds
/// that follow.
template <class Visit>
void each_groups(int ranks, int largest, Groups& groups, Visit&& visit) {
    if (ranks < 2) visit(Groups(groups.rbegin(), groups.rend()));
    for (int size = 2; size <= std::min(largest, ranks); ++size) {
        groups.push_back(size);
        each_groups(ranks / size, size, groups, visit);
        groups.pop_back();
    }
}

/// The groups with the least `total`, and of these the ones with the fewest messages. Considers
/// groups of up to 16, beyond which little is gained, and one group of all ranks.
[[nodiscard]] inline Groups quickest(int ranks, const Costs& costs, const Behind& behind) {
    constexpr int largest = 16;
    Groups best;
    double least = std::numeric_limits<double>::infinity();
    const auto compare = [&](const Groups& groups) {
        const double seconds = total(groups, ranks, costs, behind);
        if (seconds >= least) return;
        least = seconds;
        best = groups;
    };
    Groups none;
    each_groups(ranks, largest, none, compare);
    if (ranks > largest) compare({ranks});
    return best;
}

}  // namespace lapwing::model::recursive_multiplying
