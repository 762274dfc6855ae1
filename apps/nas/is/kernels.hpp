#pragma once

#include <array>
#include <cstddef>

#include "../common/computation.hpp"

namespace lapwing::nas::is {

/// The loops of the benchmark. An element is a key, in the last two a value of keys.
enum Loop : std::size_t { counting, sorting, ranking, clearing, summing };

/// In bytes of "add": the seconds that `lapwing run is --class A --schedule blocking --on mpi:1
/// --json` says of each loop, for an element, over those of a byte that "add" writes to memory. On
/// the core that was measured these were 0.58, 1.3, 0.6, 0.2 and 0.32 ns, and 0.1 ns.
inline constexpr std::array<Kernel, 5> kernels{{
    {"counting", 6},
    {"sorting", 13},
    {"ranking", 6},
    {"clearing", 2},
    {"summing", 3},
}};

}  // namespace lapwing::nas::is
