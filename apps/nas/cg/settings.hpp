#pragma once

#include <array>
#include <cstddef>

#include "../common/options.hpp"

namespace lapwing::nas::cg {

namespace setting {
enum Index : std::size_t { sums, group, early, pieces };
}

inline constexpr std::array<Setting, 4> settings{{
    {"sums", "sums over all ranks in a step of conjugate gradients: 2, as in the textbook, or 1", 1,
     1, 2},
    {"group", "ranks that exchange their numbers in a round of a sum", 2, 2, 64},
    {"early", "eighths of a slice of columns that are multiplied before others are there", 2, 0,
     512},
    {"pieces", "messages that carry a rank's sums of products to another one", 1, 1, 64},
}};

}  // namespace lapwing::nas::cg
