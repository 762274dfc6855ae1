#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/model/collectives/recursive_multiplying.hpp"

namespace lapwing::allreduce_rounds {

/// What a rank does in one round of an allreduce, within a group of ranks.
struct Round {
    std::vector<int> ranks;  ///< the group; their parts are added in this order
    std::size_t own = 0;     ///< index of this rank in the group
    bool sends = true;       ///< its part, to all others of the group
    bool receives = true;    ///< the parts of all others
    bool adds = true;        ///< what it receives; otherwise it receives the result
};

/// The rounds of `rank` among `size` ranks. `groups`: group sizes, round by round; their product is
/// the number of ranks that take part in these rounds (the cores). Each of the `size - cores`
/// remaining ranks is folded into another. Among the first ranks, an even one sends its part to the
/// odd one behind it, and receives the result in the end. No two messages go from one rank to the
/// same other.
[[nodiscard]] inline std::vector<Round> rounds(int rank, int size,
                                               const model::recursive_multiplying::Groups& groups) {
    const int folded = size - model::recursive_multiplying::cores(groups);
    if (rank < 2 * folded && rank % 2 == 0) return {{{rank, rank + 1}, 0, true, true, false}};
    std::vector<Round> all;
    all.reserve(groups.size() + 2);
    if (rank < 2 * folded) all.push_back({{rank - 1, rank}, 1, false, true, true});
    const int number = rank < 2 * folded ? rank / 2 : rank - folded;
    const auto rank_of = [&](int core) { return core < folded ? 2 * core + 1 : core + folded; };
    int distance = 1;
    for (const int group : groups) {
        const int place = number / distance % group;
        Round round;
        for (int other = 0; other < group; ++other)
            round.ranks.push_back(rank_of(number + (other - place) * distance));
        round.own = static_cast<std::size_t>(place);
        all.push_back(round);
        distance *= group;
    }
    if (rank < 2 * folded) all.push_back({{rank - 1, rank}, 1, true, false, false});
    return all;
}

}  // namespace lapwing::allreduce_rounds
