#pragma once

#include <cstdint>
#include <vector>

namespace lapwing::simulate {

/// Seconds by size in bytes.
struct Timings {
    std::vector<std::uint64_t> sizes;  ///< increasing
    std::vector<double> seconds;
};

}  // namespace lapwing::simulate
