#pragma once

#include "lapwing/fft/forecast.hpp"
#include "lapwing/fft/rates.hpp"
#include "lapwing/fft/steps.hpp"
#include "lapwing/simulate/graph.hpp"

namespace lapwing::fft {

/// A transform written out for the engine.
struct Script {
    simulate::Graph graph;
    double lines = 0;  ///< seconds that the rank with most lines takes to transform them
};

[[nodiscard]] inline Dealt dealt_of(const Shape& shape) {
    return {shape.size, shape.real ? Rows::real : Rows::complex, shape.element};
}

/// What every rank does in a forward transform: what `Transform` and `RealTransform` play, played
/// with computation and messages that are written down. Calculations are whole nanoseconds.
[[nodiscard]] Script write(const Shape& shape, const Options& options, const Rates& rates);

}  // namespace lapwing::fft
