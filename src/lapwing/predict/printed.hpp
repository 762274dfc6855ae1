#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Whether a paper prints a formula for this algorithm, for strided or for contiguous data.
[[nodiscard]] bool is_printed(std::string_view operation, std::string_view algorithm, bool strided);

/// Seconds by the formula that March et al. (2009) or Cameron et al. (2007) print: with LogGP for
/// contiguous data, with log_3P for strided data. Throws `std::invalid_argument` if there is no
/// such formula, or if the profile lacks a table for it.
[[nodiscard]] double printed(const Profile& profile, std::string_view operation,
                             std::string_view algorithm, std::uint64_t ranks, std::uint64_t size,
                             std::optional<std::uint64_t> stride);

}  // namespace lapwing
