#pragma once

#include <cstdint>
#include <string_view>

namespace lapwing {

/// The choice of the fixed decisions of Open MPI 4.1's `tuned`, as one of
/// `simulate::collective_algorithms`; empty if they have no rule. An algorithm that Lapwing lacks
/// counts as the nearest one: binary and k-nomial trees as binomial, synchronised linear exchanges
/// as staggered, several chains as one, the butterfly as recursive halving, segmented rings as
/// rings.
[[nodiscard]] std::string_view selected_by_openmpi(std::string_view operation, std::uint64_t ranks,
                                                   std::uint64_t size);

}  // namespace lapwing
