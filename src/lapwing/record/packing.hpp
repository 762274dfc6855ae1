#pragma once

#include <cstdint>

namespace lapwing::record {

/// Messages belong together if at most this many nanoseconds lie between them: a call or two, and
/// the time to copy the larger one out and in at 1 GB/s each.
[[nodiscard]] constexpr double packing_time(std::uint64_t bytes) {
    return 1000 + 2 * static_cast<double>(bytes);
}

}  // namespace lapwing::record
