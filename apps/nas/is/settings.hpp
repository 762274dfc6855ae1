#pragma once

#include <array>
#include <cstddef>

#include "../common/options.hpp"

namespace lapwing::nas::is {

/// The settings, by their place in `Options::settings`.
enum Place : std::size_t { tiles, ahead, window };

inline constexpr std::array<Setting, 3> settings{{
    {"tiles", "parts of a rank's keys, each sent while the next is sorted", fitting, 1, 1024},
    {"ahead", "tiles sorted while ranks agree on who gets which keys", fitting, 1, 1024},
    {"window", "tiles in flight", fitting, 1, 1024},
}};

}  // namespace lapwing::nas::is
