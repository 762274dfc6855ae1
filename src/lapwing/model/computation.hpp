#pragma once

#include <algorithm>
#include <optional>
#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing::model {

/// Seconds per unit of `kernel` on one core: per byte, or per floating-point operation for "fft".
/// Multiplied by bytes it is `t_V` (Iancu 2007, section 3). None if the profile has no rate for it.
[[nodiscard]] inline std::optional<double> computation(const Profile& profile,
                                                       std::string_view kernel) {
    const auto found = std::find_if(profile.kernels.begin(), profile.kernels.end(),
                                    [&](const auto& rate) { return rate.first == kernel; });
    if (found == profile.kernels.end()) return std::nullopt;
    return 1 / found->second;
}

}  // namespace lapwing::model
