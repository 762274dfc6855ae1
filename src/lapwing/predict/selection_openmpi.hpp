#pragma once

#include <cstdint>
#include <string_view>

namespace lapwing {

/// What the fixed decisions of Open MPI 4.1's `tuned` choose, as one of our algorithms; empty where
/// they do not say. Its choices that are none of ours count as the nearest: binary and k-nomial
/// trees as binomial, linear exchanges that synchronise as the staggered one, the chain of
/// several as one, the butterfly as recursive halving, segmented rings as rings.
[[nodiscard]] std::string_view selected_by_openmpi(std::string_view operation, std::uint64_t ranks,
                                                   std::uint64_t size);

}  // namespace lapwing
