#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Which of a pattern's pairs of ranks.
enum class PairRank { slowest, fastest };

/// G(P, S): seconds per byte of messages of `size` bytes while all ranks of a pattern communicate
/// (Iancu and Strohmaier 2007, figures 4 and 5). P is the measured number of ranks nearest to
/// `ranks` from above, or the largest. Of a "gather" those into its root, all its senders together.
/// 0 where the profile does not have the pattern.
[[nodiscard]] double pattern_gap(const Profile& profile, std::string_view pattern,
                                 std::uint64_t ranks, double size,
                                 PairRank pair = PairRank::slowest);

}  // namespace lapwing
