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

/// The ratio of an element's time to that of a byte of "add" depends on the machine and on where
/// the arrays lie. On an AMD EPYC that did nothing else, class A, `bench/nas.py kernels` measured
/// 19, 18, 58, 4, 5, 31 and 3 bytes; while other programs took of its memory's bandwidth, about
/// these.
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
