#pragma once

#include <array>

#include "../common/computation.hpp"

namespace lapwing::nas::mg {

/// The loops of the benchmark. An element is a point of the grid that is computed.
enum Loop : std::size_t {
    residuals,
    smoothing,
    restriction,
    interpolation,
    norm,
    borders,
    zeroing
};

/// Bytes of "add" by the ratio of their times on one core, class A: `bench/nas.py kernels
/// --benchmarks mg`.
inline constexpr std::array<Kernel, 7> kernels{{
    {"residual", 10},
    {"smoothing", 10},
    {"restriction", 32},
    {"interpolation", 2},
    {"norm", 3},
    {"borders", 16},
    {"zeroing", 1},
}};

}  // namespace lapwing::nas::mg
