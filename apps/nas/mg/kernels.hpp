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

/// In bytes of "add": measured on one core, class A, by `bench/nas.py kernels`.
inline constexpr std::array<Kernel, 7> kernels{{
    {"residual", 40},
    {"smoothing", 40},
    {"restriction", 100},
    {"interpolation", 100},
    {"norm", 8},
    {"borders", 16},
    {"zeroing", 4},
}};

}  // namespace lapwing::nas::mg
