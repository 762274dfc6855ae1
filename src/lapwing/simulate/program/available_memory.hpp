#pragma once

#include <cstdint>

namespace lapwing::simulate {

/// Bytes of memory that this machine can still allocate: on Linux what the system says is
/// available, elsewhere all of its memory.
[[nodiscard]] std::uint64_t available_memory();

}  // namespace lapwing::simulate
