#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/model/collectives/recursive_multiplying.hpp"

namespace lapwing::allreduce_rounds {

/// What a rank does in one round of a sum, with the others of a group.
struct Round {
    std::vector<int> ranks;  ///< of the group; a sum has their parts in this order
    std::size_t own = 0;     ///< this rank's place among them
    bool sends = true;
    bool receives = true;
    bool adds = true;  ///< what arrives; otherwise it is the sum
};

/// The rounds of `rank` among `size` ranks, `groups` being those of the cores. Of the ranks beyond
/// these, as many as there are, the first even ones hand their part to the odd one after them and
/// are told the sum in the end. No two messages go from one rank to the same other.
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
