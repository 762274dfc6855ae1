#pragma once

#include <string>

#include "lapwing/simulate/costs/loggops.hpp"

namespace lapwing::simulate {

/// The machine with the parameters in `text`, such as "L=2500,o=1500,g=1000,G=6,O=0,S=65535", in
/// nanoseconds and, for S, bytes. Parameters that are missing have the values of this example.
/// Throws `std::invalid_argument` with one line.
[[nodiscard]] LogGOPS loggops_from_text(const std::string& text);

}  // namespace lapwing::simulate
