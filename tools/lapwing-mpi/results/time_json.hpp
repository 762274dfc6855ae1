#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing::tools {

/// Keys stay in the order in which they were written.
using Json = nlohmann::ordered_json;

/// A measured time as results have it: seconds, and the relative error.
[[nodiscard]] Json time_json(double seconds, double error);
[[nodiscard]] Json time_json(const Estimate& estimate);
/// The median of several measurements, in seconds, and its error.
[[nodiscard]] Json time_json(const std::vector<double>& samples);

/// The median of several measurements, in seconds.
[[nodiscard]] double median_of(const std::vector<double>& samples);

/// The document as text. Bytes that are no UTF-8, as paths may have, are replaced.
[[nodiscard]] std::string text_of(const Json& document);

}  // namespace lapwing::tools
