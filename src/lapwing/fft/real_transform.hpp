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

/// Three-dimensional transforms of an array of real numbers to that half of its spectrum which
/// determines the other, n2/2 + 1 elements along the last axis, and back: planned once, run often.
/// `Real` is `float` or `double`.
///
///     lapwing::fft::RealTransform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> spectrum(transform.capacity());
///     std::vector<double> space(2 * transform.capacity());
///     transform.forward(space.data(), spectrum.data());
///
/// Arrays are dealt as `Transform` says. Out of place the rows of real arrays are contiguous; in
/// place, as FFTW has it, each has the room of a row of the spectrum, 2 (n2/2 + 1) numbers, of
/// which the last one or two mean nothing. Neither direction divides by the number of elements, n0
/// n1 n2 real ones.
template <class Real>
class RealTransform {
  public:
    using Complex = std::complex<Real>;

    /// As for a `Transform`. `size`: real numbers along each axis.
    RealTransform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : plan_(ranks, size, options, RowTransform::real) {}
    RealTransform(const RealTransform&) = delete;
    RealTransform& operator=(const RealTransform&) = delete;
    ~RealTransform() = default;

    /// Complex elements that the arrays of any rank must have room for. A real array must have room
    /// for twice as many numbers.
    [[nodiscard]] std::size_t capacity() const { return plan_.capacity(); }
    /// What this rank has of the real array, in real numbers, and of the spectrum, in complex ones.
    [[nodiscard]] Box space() const { return plan_.space(); }
    [[nodiscard]] Box spectrum() const { return plan_.spectrum(); }
    /// Real numbers from the begin of a row to that of the next, in place.
    [[nodiscard]] std::size_t padded_row() const { return 2 * (size()[2] / 2 + 1); }
    [[nodiscard]] const Size& size() const { return plan_.size(); }
    [[nodiscard]] const Options& options() const { return plan_.options(); }
    /// Of the ranks: one column where the array is dealt in planes.
    [[nodiscard]] const Grid& grid() const { return plan_.grid(); }
    /// Messages this rank sends to others in a forward transform. A part of an all-to-all is one.
    [[nodiscard]] std::uint64_t messages() const { return plan_.messages(); }

    /// The spectrum of `in`, or of each of its `options().batch` arrays, of which one begins
    /// 2 `capacity()` real numbers behind the one before. The rest as for `Transform::forward`.
    template <class Recorder = const NoPhases>
    void forward(const Real* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        const auto* const numbers = reinterpret_cast<const Complex*>(in);
        plan_.run(plan_.forward(), numbers, out, numbers == out, recorder, prepare);
    }
    /// The way back: from what `forward` gives to what it takes. What the imaginary parts of
    /// elements say that a real array has none for is not looked at.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Real* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        auto* const numbers = reinterpret_cast<Complex*>(out);
        plan_.run(plan_.inverse(), in, numbers, in == numbers, recorder, prepare);
    }

  private:
    TransposePlan<Real> plan_;
};

}  // namespace lapwing::fft
