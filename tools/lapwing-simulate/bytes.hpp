#pragma once

#include <cstdint>
#include <string>

namespace lapwing::tools {

/// Bytes from "8", "64KB" or "1MB" (1024 and 1024^2; KiB, MiB the same). Throws
/// `std::invalid_argument` with one line.
[[nodiscard]] std::uint64_t bytes(const std::string& text);

}  // namespace lapwing::tools
