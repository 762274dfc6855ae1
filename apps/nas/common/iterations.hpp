#pragma once

#include <algorithm>

namespace lapwing::nas {

/// So many iterations are simulated. Ranks begin the second one and those after it at different
/// times, and messages meet others in each: iterations last up to 2 % longer or shorter than their
/// mean, in cycles of up to four or so.
inline constexpr int simulated_iterations = 5;

/// Seconds of `iterations` iterations. `seconds_of(n)`: of the first n, as simulated. Iterations
/// that are not simulated are taken to last as long as the simulated ones after the first do in the
/// mean.
template <class SecondsOf>
[[nodiscard]] double seconds_of_iterations(int iterations, SecondsOf&& seconds_of) {
    const int simulated = std::min(iterations, simulated_iterations);
    const double seconds = seconds_of(simulated);
    if (simulated == iterations) return seconds;
    return seconds + (seconds - seconds_of(1)) / (simulated - 1) * (iterations - simulated);
}

}  // namespace lapwing::nas
