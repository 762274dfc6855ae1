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

/// Three-dimensional complex transforms of an array that is dealt to ranks: planned once, run
/// often. `Real` is `float` or `double`.
///
///     lapwing::fft::Transform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> data(transform.capacity());
///     transform.forward(data.data(), data.data());
///
/// Element k of the spectrum is the sum of all x_j exp(-2 pi i (j0 k0 / n0 + j1 k1 / n1 + j2 k2 /
/// n2)), and the way back has the other sign. Neither divides by the number of elements: one after
/// the other multiplies by it.
///
/// Dealt in planes, a rank's input is its planes of the first axis, [local n0][n1][n2]; the output,
/// where it is transposed, its planes of the second, [local n1][n0][n2], and the input again where
/// it is natural. Dealt to a grid, the input is [local n0][local n1][n2], the first axis dealt to
/// rows of the grid and the second to its columns, and transposed output is
/// [local n1][n0][local n2]. Indices are dealt as evenly as can be, in the order of the ranks:
/// `input_box()` and `output_box()` say which.
///
/// Besides the arrays there is a buffer of `capacity()` elements, two for a batch that overlaps,
/// with `tiled` a tile for each all-to-all in flight, and in a grid a plane. What fails in a
/// transform takes the job down, see `on_failure`.
///
/// To be used by one thread at a time. Its end is collective too, and comes before `MPI_Finalize`.
template <class Real>
class Transform {
  public:
    using Complex = std::complex<Real>;

    /// Collective over `ranks`, whose messages never meet the program's. `size`: elements along
    /// each axis, at least 1, the last contiguous in memory. Before anything is allocated, all
    /// ranks get the same `std::invalid_argument` where they do not ask for the same, the schedule
    /// does not fit the transport, the grid does not fit the ranks, there are more elements than
    /// memory has addresses, or a machine has too little memory left for the buffers of its ranks.
    /// Lines are tried out as `options.effort` says, in memory of its own: no array is touched.
    Transform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : plan_(ranks, size, options, RowTransform::complex) {}
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    ~Transform() = default;

    /// Elements that the arrays of any rank must have room for: as many as the larger of what it
    /// has before and after, and on the way.
    [[nodiscard]] std::size_t capacity() const { return plan_.capacity(); }
    /// What this rank has of the input of a forward transform, and of its output.
    [[nodiscard]] Box input_box() const { return plan_.space(); }
    [[nodiscard]] Box output_box() const { return plan_.spectrum(); }
    /// The same, where it is dealt in planes. Throws `std::logic_error` where it is dealt to a grid
    /// of more than one column.
    [[nodiscard]] Planes input() const { return plan_.planes(input_box()); }
    [[nodiscard]] Planes output() const { return plan_.planes(output_box()); }
    [[nodiscard]] const Size& size() const { return plan_.size(); }
    [[nodiscard]] const Options& options() const { return plan_.options(); }
    /// Of the ranks: one column where the array is dealt in planes.
    [[nodiscard]] const Grid& grid() const { return plan_.grid(); }
    /// Messages this rank sends to others in a forward transform. A part of an all-to-all is one.
    [[nodiscard]] std::uint64_t messages() const { return plan_.messages(); }
    /// The same, and what is copied on this rank instead.
    [[nodiscard]] std::uint64_t units() const { return plan_.units(); }

    /// Transforms `in` to `out`, each with room for `capacity()` elements, times `options().batch`,
    /// and beginning at a multiple of 16 bytes, as allocated memory does: `std::invalid_argument`
    /// where it does not. They are the same, or do not overlap and `in` keeps its content.
    /// Collective: returns when this rank has its part. `recorder`: `Phases`, to which is added
    /// what the time is spent on, or nothing. `prepare`: what is to be done to each plane of `in`
    /// before it is taken.
    template <class Recorder = const NoPhases>
    void forward(const Complex* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        plan_.run(plan_.forward(), in, out, false, recorder, prepare);
    }
    /// The way back: from what `forward` gives to what it takes.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        plan_.run(plan_.inverse(), in, out, false, recorder, prepare);
    }

  private:
    TransposePlan<Real> plan_;
};

}  // namespace lapwing::fft
