#pragma once

#include "lapwing/fft/forecast.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/graph.hpp"

namespace lapwing::fft {

/// What one core does.
struct Rates {
    double fft = 0;   ///< floating-point operations a second, 5 n log2 n of a line
    double copy = 0;  ///< bytes a second
    Line completing;  ///< seconds that a put of so many bytes takes its initiator when it completes
};

/// A transform written out for the engine.
struct Script {
    simulate::Graph graph;
    double lines = 0;  ///< seconds that the rank with most lines takes to transform them
};

/// What every rank does in a forward transform, as `Transform` does it: lines, copies and messages
/// in their order, and what each waits for. Calculations are whole nanoseconds. An all-to-all is a
/// message to each of the others: a blocking one begins with the rank behind, others with rank 0. A
/// barrier is messages to the ranks 1, 2, 4 … behind.
[[nodiscard]] Script write(const Shape& shape, const Options& options, const Rates& rates);

}  // namespace lapwing::fft
