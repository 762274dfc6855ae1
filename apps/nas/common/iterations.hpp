#pragma once

namespace lapwing::nas {

/// So many iterations are simulated. Ranks begin the second one and those after it at different
/// times, and messages meet others in each. So iterations last up to 2 % longer or shorter than
/// their mean, in cycles of up to four or so.
inline constexpr int simulated_iterations = 5;

/// Seconds of `iterations` iterations; infinity if that is more than `most`. `seconds_of(n, most)`:
/// of the first n, as simulated; infinity if that is more than `most`. Iterations that are not
/// simulated are taken to last as long as the simulated ones after the first do in the mean.
template <class SecondsOf>
[[nodiscard]] double seconds_of_iterations(int iterations, double most, SecondsOf&& seconds_of) {
    if (iterations <= simulated_iterations) return seconds_of(iterations, most);
    // The whole is (1 + rest) simulated - rest * first.
    const double rest =
        static_cast<double>(iterations - simulated_iterations) / (simulated_iterations - 1);
    const double first = seconds_of(1, most);
    if (first > most) return first;
    const double simulated = seconds_of(simulated_iterations, (most + rest * first) / (1 + rest));
    return simulated + rest * (simulated - first);
}

}  // namespace lapwing::nas
