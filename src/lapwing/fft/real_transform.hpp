#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>

#include "lapwing/fft/distribution/box.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/prepare.hpp"
#include "lapwing/fft/transpose_plan.hpp"

namespace lapwing::fft {

/// Three-dimensional transforms of real arrays to half a spectrum, and back, planned once and run
/// often. The half has n2/2 + 1 elements along the last axis and determines the rest. `Real` is
/// `float` or `double`.
///
///     lapwing::fft::RealTransform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> spectrum(transform.capacity());
///     std::vector<double> space(2 * transform.capacity());
///     transform.forward(space.data(), spectrum.data());
///
/// Arrays are distributed as those of `Transform`. Out of place, the rows of real arrays are
/// contiguous. In place, as in FFTW, each row has the length of a row of the spectrum: 2 (n2/2 + 1)
/// numbers, the last one or two unused. Neither direction divides by n0 n1 n2.
template <class Real>
class RealTransform {
  public:
    using Complex = std::complex<Real>;

    /// As for `Transform`. `size`: real numbers along each axis.
    RealTransform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : plan_(ranks, size, options, RowTransform::real) {}
    RealTransform(const RealTransform&) = delete;
    RealTransform& operator=(const RealTransform&) = delete;
    ~RealTransform() = default;

    /// Complex elements to allocate for each array, the same on all ranks. A real array needs twice
    /// as many numbers.
    [[nodiscard]] std::size_t capacity() const { return plan_.capacity(); }
    /// This rank's part of the real array, in real numbers, and of the spectrum, in complex ones.
    [[nodiscard]] Box space() const { return plan_.space(); }
    [[nodiscard]] Box spectrum() const { return plan_.spectrum(); }
    /// Real numbers from the beginning of a row to that of the next, in place.
    [[nodiscard]] std::size_t padded_row() const { return 2 * (size()[2] / 2 + 1); }
    [[nodiscard]] const Size& size() const { return plan_.size(); }
    [[nodiscard]] const Options& options() const { return plan_.options(); }
    /// The grid of ranks. Planes have one column.
    [[nodiscard]] const Grid& grid() const { return plan_.grid(); }
    /// Messages from this rank to others in a forward transform. An all-to-all counts one message
    /// to each rank.
    [[nodiscard]] std::uint64_t messages() const { return plan_.messages(); }

    /// Transforms `in` to its spectrum. Arrays of a batch begin 2 `capacity()` real numbers apart.
    /// All else is as for `Transform::forward`.
    template <class Recorder = const NoPhases>
    void forward(const Real* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        const auto* const numbers = reinterpret_cast<const Complex*>(in);
        plan_.run(Sign::forward, numbers, out, numbers == out, recorder, prepare);
    }
    /// Transforms a spectrum, laid out as the output of `forward`, back to a real array. Ignores
    /// the imaginary parts of elements that must be real.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Real* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        auto* const numbers = reinterpret_cast<Complex*>(out);
        plan_.run(Sign::inverse, in, numbers, in == numbers, recorder, prepare);
    }

  private:
    TransposePlan<Real> plan_;
};

}  // namespace lapwing::fft
