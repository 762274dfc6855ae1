#pragma once

#include <array>
#include <cstddef>

#include "../common/options.hpp"

namespace lapwing::nas::mg {

/// The settings, by their place in `Options::settings`.
enum Place : std::size_t { agglomerate };

inline constexpr std::array<Setting, 1> settings{{
    {"agglomerate", "points a side of the largest level that every rank has whole", 4, 2, 512},
}};

}  // namespace lapwing::nas::mg
