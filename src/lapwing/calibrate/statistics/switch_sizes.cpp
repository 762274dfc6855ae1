#include "lapwing/calibrate/statistics/switch_sizes.hpp"

#include <algorithm>

namespace lapwing {

std::vector<std::uint64_t> sorted_unique(std::vector<std::uint64_t> sizes) {
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::vector<std::uint64_t> with_switch_sizes(std::vector<std::uint64_t> sizes,
                                             const std::vector<std::uint64_t>& switches) {
    for (const std::uint64_t size : switches) sizes.insert(sizes.end(), {size, size + 1});
    return sorted_unique(std::move(sizes));
}

}  // namespace lapwing
