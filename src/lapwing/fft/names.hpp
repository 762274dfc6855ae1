#pragma once

#include <string_view>

#include "lapwing/fft/lines/effort.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

// The option with a given name, as documents and command lines have it; `name` is the inverse. All
// throw `std::invalid_argument`, which lists the names, if there is none.

[[nodiscard]] Schedule schedule_named(std::string_view name);
[[nodiscard]] Transport transport_named(std::string_view name);
[[nodiscard]] Order order_named(std::string_view name);
[[nodiscard]] Decomposition decomposition_named(std::string_view name);
[[nodiscard]] Packing packing_named(std::string_view name);
[[nodiscard]] Effort effort_named(std::string_view name);

}  // namespace lapwing::fft
