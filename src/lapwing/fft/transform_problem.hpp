#pragma once

#include <cstddef>

#include "lapwing/fft/distribution/distributed_array.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// The problem of a forecast: an array, and the ranks that transform it.
struct TransformProblem {
    Size size{};  ///< elements along each axis
    int ranks = 1;
    int ranks_per_node = 1;    ///< consecutive ranks share a node
    std::size_t element = 16;  ///< bytes of a complex element: 16 in double precision, 8 in single
    bool real = false;         ///< whether the array is real, with half a spectrum
};

[[nodiscard]] inline DistributedArray array_of(const TransformProblem& problem) {
    return {problem.size, problem.real ? RowTransform::real : RowTransform::complex,
            problem.element};
}

}  // namespace lapwing::fft
