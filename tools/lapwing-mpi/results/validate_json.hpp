#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing::tools {

/// One operation of one size, timed.
struct TimedCall {
    std::string operation;
    std::uint64_t size = 0;      ///< bytes
    Estimate time;               ///< seconds
    std::optional<bool> packed;  ///< of strided data: whether it was packed by hand
    /// Whether the environment was comparable to the one asked for; none if nothing was asked for.
    std::optional<bool> comparable;
};

/// What `validate` measured, and where.
struct ValidateResult {
    std::vector<std::pair<std::string, std::string>> machine;  ///< name and value
    std::vector<std::string> warnings;
    double preempted = 0;  ///< share of the time that other programs took
    std::vector<TimedCall> calls;
};

/// The result as text.
[[nodiscard]] std::string validate_json(const ValidateResult& result);

}  // namespace lapwing::tools
