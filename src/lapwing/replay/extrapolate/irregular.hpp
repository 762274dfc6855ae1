#pragma once

#include <cstdint>
#include <string>

namespace lapwing::replay {

/// What does not fit a grid: the first record of a rank that does not, and why.
struct Irregular {
    std::uint64_t rank = 0;
    std::uint64_t record = 0;
    std::string why{};
};

}  // namespace lapwing::replay
