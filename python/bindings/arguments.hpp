#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <string_view>

#include "lapwing/plan/names.hpp"
#include "lapwing/predict/predict.hpp"

namespace lapwing::python {

/// The model that an argument names. Throws `std::invalid_argument`, a ValueError in Python, which
/// lists the names that there are.
[[nodiscard]] PredictionModel prediction_model_named(std::string_view name);

/// A number of bytes from an int of any length. `what`: the name of the argument, for the error.
/// Throws `std::invalid_argument`.
[[nodiscard]] std::uint64_t bytes(std::string_view what, const nanobind::int_& value);

/// A count from an int of any length; else as `bytes`.
[[nodiscard]] std::uint64_t count(std::string_view what, const nanobind::int_& value);

}  // namespace lapwing::python
