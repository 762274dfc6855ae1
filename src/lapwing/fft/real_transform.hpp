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

/// Three-dimensional transforms of an array of real numbers to the half of its spectrum that
/// determines the other half, n2/2 + 1 elements along the last axis, and back; planned once and run
/// often. `Real` is `float` or `double`.
///
///     lapwing::fft::RealTransform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> spectrum(transform.capacity());
///     std::vector<double> space(2 * transform.capacity());
///     transform.forward(space.data(), spectrum.data());
///
/// Arrays are distributed as those of `Transform`. Out of place, the rows of real arrays are
/// contiguous. In place, as in FFTW, each row has the room of a row of the spectrum, 2 (n2/2 + 1)
/// numbers, of which the last one or two are unused. Neither direction divides by the number of
/// real numbers, n0 n1 n2.
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

    /// Complex elements that each array of any rank must have room for. A real array needs room for
    /// twice as many numbers.
    [[nodiscard]] std::size_t capacity() const { return plan_.capacity(); }
    /// The part of the real array that this rank has, in real numbers, and the part of the
    /// spectrum, in complex ones.
    [[nodiscard]] Box space() const { return plan_.space(); }
    [[nodiscard]] Box spectrum() const { return plan_.spectrum(); }
    /// Real numbers from the begin of a row to that of the next, in place.
    [[nodiscard]] std::size_t padded_row() const { return 2 * (size()[2] / 2 + 1); }
    [[nodiscard]] const Size& size() const { return plan_.size(); }
    [[nodiscard]] const Options& options() const { return plan_.options(); }
    /// The grid of the ranks: one column if the array is distributed in planes.
    [[nodiscard]] const Grid& grid() const { return plan_.grid(); }
    /// Messages that this rank sends to others in a forward transform. What it sends to one rank in
    /// an all-to-all counts as one.
    [[nodiscard]] std::uint64_t messages() const { return plan_.messages(); }

    /// Transforms `in`, or each of its `options().batch` arrays, which begin 2 `capacity()` real
    /// numbers apart, to its spectrum. All else is as for `Transform::forward`.
    template <class Recorder = const NoPhases>
    void forward(const Real* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        const auto* const numbers = reinterpret_cast<const Complex*>(in);
        plan_.run(Sign::forward, numbers, out, numbers == out, recorder, prepare);
    }
    /// Transforms what `forward` returns back to what it takes. Ignores the imaginary parts of
    /// those elements that are real in the spectrum of a real array.
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
