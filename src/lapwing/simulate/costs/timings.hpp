#pragma once

#include <cstdint>
#include <vector>

namespace lapwing::simulate {

/// A table of seconds by message size.
struct Timings {
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing
    std::vector<double> seconds;       ///< [size]
};

}  // namespace lapwing::simulate
