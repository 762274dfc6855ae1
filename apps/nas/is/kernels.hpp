#pragma once

#include <array>
#include <cstddef>

#include "../common/computation.hpp"

namespace lapwing::nas::is {

/// The loops of the benchmark. An element is a key, in the last two a value of keys.
enum Loop : std::size_t { counting, sorting, ranking, clearing, summing };

/// In bytes of "add".
inline constexpr std::array<Kernel, 5> kernels{{
    {"counting", 5},
    {"sorting", 12},
    {"ranking", 7},
    {"clearing", 1},
    {"summing", 5},
}};

}  // namespace lapwing::nas::is
