#pragma once

#include <vector>

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/transform_problem.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::fft {

/// The predicted time of one transform.
struct Forecast {
    Options options;
    double seconds = 0;  ///< from a common start until the last rank is done
    double lines = 0;    ///< seconds of these spent on lines, on the rank with the most lines
};

/// Predicts a forward transform, out of place, by simulating every message of every rank. Lines and
/// copies run at the profile's rates of the kernels "fft" and "copy". Packing costs what the log_3P
/// tables say, if there are any. Needs neither MPI nor FFTW.
///
/// Throws `std::invalid_argument` if the options do not fit each other or the ranks, if the array
/// is empty, or if there are too many messages to simulate. Throws it also if the profile lacks the
/// costs of puts, kernels or derived types.
[[nodiscard]] Forecast forecast(const Profile& profile, const TransformProblem& problem,
                                const Options& options);

/// Predicts every schedule over every transport with costs in the profile, fastest first. Each
/// schedule has its best tile, strips, window and packing; of similar times, the simpler choice
/// wins. To sort, puts count as 2 % slower than predicted, because their costs are least known.
/// `wanted`: its order, decomposition, grid, batch, effort and poll interval are kept. The first
/// forecast is the choice:
///
///     fft::Transform<double> transform(ranks, size, fft::forecasts(profile, problem)[0].options);
[[nodiscard]] std::vector<Forecast> forecasts(const Profile& profile,
                                              const TransformProblem& problem,
                                              const Options& wanted = {});

/// Predicts the exchange over `options.transport` with each packing, at its best block and padding.
/// The fastest comes first and is the choice of log_3P. Without log_3P tables, there is only
/// `copy`.
[[nodiscard]] std::vector<Forecast> packings(const Profile& profile,
                                             const TransformProblem& problem,
                                             const Options& options);

/// The packing that LogGP chooses. LogGP has no strides: packing only adds to a message.
[[nodiscard]] Packing packing_by_loggp(const Profile& profile, const TransformProblem& problem,
                                       const Options& options);

}  // namespace lapwing::fft
