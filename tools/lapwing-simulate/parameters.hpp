#pragma once

#include <cstdint>
#include <string>

#include "lapwing/simulate/loggops.hpp"

namespace lapwing::tools {

/// The machine that `text` says, such as "L=2500,o=1500,g=1000,G=6,O=0,S=65535"; what it leaves out
/// is as there. Throws `std::invalid_argument` with one line.
[[nodiscard]] simulate::LogGOPS loggops(const std::string& text);

/// Bytes from "8", "64KB" or "1MB" (1024 and 1024^2; KiB, MiB the same). Throws
/// `std::invalid_argument` with one line.
[[nodiscard]] std::uint64_t bytes(const std::string& text);

}  // namespace lapwing::tools
