#pragma once

#include <string>

#include "lapwing/simulate/costs/loggops.hpp"

namespace lapwing::simulate {

/// The machine that `text` says, such as "L=2500,o=1500,g=1000,G=6,O=0,S=65535": nanoseconds, and
/// bytes for S; what it leaves out is as there. Throws `std::invalid_argument` with one line.
[[nodiscard]] LogGOPS loggops_from_text(const std::string& text);

}  // namespace lapwing::simulate
