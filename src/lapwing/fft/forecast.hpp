#pragma once

#include <vector>

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/transform_problem.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::fft {

/// What one transform is predicted to take.
struct Forecast {
    Options options;
    double seconds = 0;  ///< from a common start until the last rank is done
    double lines = 0;    ///< of these, for transforming lines, on the rank that has most of them
};

/// Predicts a forward transform, not in place, by simulating every message of every rank.
/// Computation between messages runs at the profile's rates of the kernels "fft" and "copy", and
/// packing costs what its log_3P tables say, if it has any. Needs neither MPI nor FFTW.
///
/// Throws `std::invalid_argument` if the options do not fit each other or the ranks, if the profile
/// lacks the costs of puts, kernels or derived types that the options need, if the array is empty,
/// or if there are too many messages to simulate.
[[nodiscard]] Forecast forecast(const Profile& profile, const TransformProblem& problem,
                                const Options& options);

/// Predicts every schedule over every transport that the profile has costs of, fastest first, each
/// with the tile, strips, window and packing that suit it best; of ways that are about as fast, the
/// simpler one. For the order, puts count as 2 % slower than predicted, because their costs are
/// least known. `wanted`: its order, decomposition, grid, batch, effort and poll interval are kept.
/// The first forecast says how to transform:
///
///     fft::Transform<double> transform(ranks, size, fft::forecasts(profile, problem)[0].options);
[[nodiscard]] std::vector<Forecast> forecasts(const Profile& profile,
                                              const TransformProblem& problem,
                                              const Options& wanted = {});

/// Predicts the exchange over `options.transport` with each packing, at its best block and padding,
/// fastest first: the first is the choice of log_3P. Without log_3P tables there is only `copy`.
[[nodiscard]] std::vector<Forecast> packings(const Profile& profile,
                                             const TransformProblem& problem,
                                             const Options& options);

/// The choice of LogGP for the same: it knows no stride, so that packing only adds to a message.
[[nodiscard]] Packing packing_by_loggp(const Profile& profile, const TransformProblem& problem,
                                       const Options& options);

}  // namespace lapwing::fft
