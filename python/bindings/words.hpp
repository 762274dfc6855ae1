#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

#include "lapwing/plan/words.hpp"
#include "lapwing/predict/predict.hpp"

namespace lapwing::python {

/// What Python says in words, as the library's own type. Throws `std::invalid_argument`, which
/// Python sees as a ValueError, naming what there is to choose from.
[[nodiscard]] PredictionModel prediction_model_named(std::string_view name);

/// A number of bytes out of an int of any length; `what` names it in the complaint.
[[nodiscard]] std::uint64_t bytes(std::string_view what, const nanobind::int_& value);

/// The same for a number of anything.
[[nodiscard]] std::uint64_t count(std::string_view what, const nanobind::int_& value);

}  // namespace lapwing::python
