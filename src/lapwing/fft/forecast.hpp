#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/fft/options.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::fft {

/// What is transformed, and by how many.
struct Shape {
    Size size{};
    int ranks = 1;
    int ranks_per_node = 1;    ///< consecutive ranks are on one node
    std::size_t element = 16;  ///< bytes of a complex number: 16 in double precision, 8 in single
};

/// What one transform is predicted to take.
struct Forecast {
    Options options;
    double seconds = 0;  ///< from a common start until the last rank is done
    double lines = 0;    ///< of these, transforming lines: the rank that has most of them
};

/// A forward transform, played on the machine: every message of every rank, with what is computed
/// between them at the rates that the profile has for the kernels "fft" and "copy". Knows no MPI
/// and no FFTW.
///
/// Throws `std::invalid_argument` where the schedule does not fit the transport, the profile does
/// not say what puts or kernels cost, there is nothing to transform, or there are more messages
/// than can be played.
[[nodiscard]] Forecast forecast(const Profile& profile, const Shape& shape, const Options& options);

/// Every schedule over every transport that the profile knows, fastest first, each at the tile and
/// the window that suit it; of ways as fast as each other, the simpler one. Puts, of which profiles
/// know least, count as a fiftieth longer than they are predicted to take. `order`: of the result.
/// The first is what to transform with:
///
///     fft::Transform<double> transform(ranks, size, fft::forecasts(profile, shape)[0].options);
[[nodiscard]] std::vector<Forecast> forecasts(const Profile& profile, const Shape& shape,
                                              Order order = Order::transposed);

}  // namespace lapwing::fft
