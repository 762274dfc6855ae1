#pragma once

#include <array>
#include <cstddef>

#include "../common/computation.hpp"

namespace lapwing::nas::is {

/// The loops of the benchmark. An element is a key, in the last two a value of keys.
enum Loop : std::size_t { counting, sorting, ranking, clearing, summing };

/// The ratio of an element's time to that of a byte of "add" depends on the machine and on where
/// the arrays lie. On an AMD EPYC, class A, elements took 0.58, 1.3, 0.6, 0.2 and 0.32 ns, and a
/// byte of "add" from 0.05 ns in the cache to 0.1 and 0.15 ns in memory; `bench/nas.py kernels`,
/// which compares with the last, says about half of these.
inline constexpr std::array<Kernel, 5> kernels{{
    {"counting", 6},
    {"sorting", 13},
    {"ranking", 6},
    {"clearing", 2},
    {"summing", 3},
}};

}  // namespace lapwing::nas::is
