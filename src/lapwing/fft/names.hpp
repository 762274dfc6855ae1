#pragma once

#include <string_view>

#include "lapwing/fft/lines/effort.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

// The option with a name of documents and command lines; `name` is the inverse. An unknown name
// throws `std::invalid_argument`, which lists the known ones.

[[nodiscard]] Schedule schedule_named(std::string_view name);
[[nodiscard]] Transport transport_named(std::string_view name);
[[nodiscard]] Order order_named(std::string_view name);
[[nodiscard]] Decomposition decomposition_named(std::string_view name);
[[nodiscard]] Packing packing_named(std::string_view name);
[[nodiscard]] Effort effort_named(std::string_view name);

}  // namespace lapwing::fft
