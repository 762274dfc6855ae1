#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/fft/options.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::fft {

/// What is transformed, and by how many.
struct TransformProblem {
    Size size{};
    int ranks = 1;
    int ranks_per_node = 1;    ///< consecutive ranks are on one node
    std::size_t element = 16;  ///< bytes of a complex number: 16 in double precision, 8 in single
    bool real = false;         ///< real numbers, to half a spectrum
};

/// What one transform is predicted to take.
struct Forecast {
    Options options;
    double seconds = 0;  ///< from a common start until the last rank is done
    double lines = 0;    ///< of these, transforming lines: the rank that has most of them
};

/// A forward transform, not in place, played on the machine: every message of every rank, with what
/// is computed between them at the rates that the profile has for the kernels "fft" and "copy", and
/// packing by the log_3P tables where it has them. Knows no MPI and no FFTW.
///
/// Throws `std::invalid_argument` where the options fit neither each other nor the ranks, the
/// profile does not say what puts, kernels or derived types cost, there is nothing to transform, or
/// there are more messages than can be played.
[[nodiscard]] Forecast forecast(const Profile& profile, const TransformProblem& problem,
                                const Options& options);

/// Every schedule over every transport that the profile knows, fastest first, each at the tile, the
/// strips, the window and the packing that suit it; of ways as fast as each other, the simpler one.
/// Puts, of which profiles know least, count as a fiftieth longer than they are predicted to take.
/// `wanted`: of it the order, the decomposition, the grid, the batch and all that costs no
/// communication are kept. The first is what to transform with:
///
///     fft::Transform<double> transform(ranks, size, fft::forecasts(profile, shape)[0].options);
[[nodiscard]] std::vector<Forecast> forecasts(const Profile& profile,
                                              const TransformProblem& problem,
                                              const Options& wanted = {});

/// The exchange over `options.transport`, once with each packing that suits it at its best, fastest
/// first: the first is log_3P's choice. One only where the profile has no log_3P tables.
[[nodiscard]] std::vector<Forecast> packings(const Profile& profile,
                                             const TransformProblem& problem,
                                             const Options& options);

/// LogGP's choice for the same: it knows no stride, so that packing by hand only adds to a message.
[[nodiscard]] Packing packing_by_loggp(const Profile& profile, const TransformProblem& problem,
                                       const Options& options);

}  // namespace lapwing::fft
