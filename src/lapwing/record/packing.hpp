#pragma once

#include <cstdint>

namespace lapwing::record {

/// Messages belong together if no more lies between them than a call or two, and copying the larger
/// one out and in at 1 GB/s each: nanoseconds, by the bytes of the larger one.
[[nodiscard]] constexpr double packing_time(std::uint64_t bytes) {
    return 1000 + 2 * static_cast<double>(bytes);
}

}  // namespace lapwing::record
