#pragma once

#include <cstdint>
#include <string_view>

namespace lapwing {

/// The choice of the fixed decisions of Open MPI 4.1's `tuned`, as one of
/// `simulate::collective_algorithms`; empty if they have no rule. They name no segment size, so its
/// pipelines are single chains and its segmented ring is the ring. Of a reduce_scatter, those of
/// MPI_Reduce_scatter_block.
[[nodiscard]] std::string_view selected_by_openmpi(std::string_view operation, std::uint64_t ranks,
                                                   std::uint64_t size);

}  // namespace lapwing
