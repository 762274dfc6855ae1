#pragma once

#include <cstdint>
#include <vector>

namespace lapwing {

/// `sizes` in increasing order, each once.
[[nodiscard]] std::vector<std::uint64_t> sorted_unique(std::vector<std::uint64_t> sizes);

/// `sizes`, and for each of `switches` the last size before it and the first after it. Bytes, in
/// increasing order.
[[nodiscard]] std::vector<std::uint64_t> with_switch_sizes(
    std::vector<std::uint64_t> sizes, const std::vector<std::uint64_t>& switches);

}  // namespace lapwing
