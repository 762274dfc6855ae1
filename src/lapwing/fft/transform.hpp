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

/// Three-dimensional complex transforms of an array that is distributed over ranks, planned once
/// and run often. `Real` is `float` or `double`.
///
///     lapwing::fft::Transform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> data(transform.capacity());
///     transform.forward(data.data(), data.data());
///
/// Element k of the spectrum is the sum over all j of x_j exp(-2 pi i (j0 k0 / n0 + j1 k1 / n1 + j2
/// k2 / n2)); the inverse transform has the other sign. Neither divides by the number of elements,
/// so that one after the other multiplies by it.
///
/// In planes, the input of a rank is its planes across the first axis, [local n0][n1][n2]. The
/// output in transposed order is its planes across the second axis, [local n1][n0][n2]; in natural
/// order it is laid out as the input. In a grid, the input is [local n0][local n1][n2], with the
/// first axis distributed over the rows of the grid and the second over its columns; transposed
/// output is [local n1][n0][local n2]. Indices are distributed as evenly as possible, in the order
/// of the ranks, see `input_box()` and `output_box()`.
///
/// Besides the arrays, a transform takes a buffer of `capacity()` elements (two for a batch that
/// overlaps), with `tiled` a tile for each all-to-all in flight, and in a grid a plane. An error
/// during a transform ends the job, see `on_failure`.
///
/// Use by one thread at a time. Destruction is collective, and must precede `MPI_Finalize`.
template <class Real>
class Transform {
  public:
    using Complex = std::complex<Real>;

    /// Collective over `ranks`, of which it makes its own communicator. `size`: elements along each
    /// axis, at least 1; the last axis is contiguous in memory. Before anything is allocated, all
    /// ranks get the same `std::invalid_argument` if they do not all ask for the same transform, if
    /// the schedule does not fit the transport or the grid the ranks, if the array is larger than
    /// memory can be, or if a machine has too little memory left for the buffers of its ranks.
    /// Lines are planned as `options.effort` says, in separate memory: no array is touched.
    Transform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : plan_(ranks, size, options, RowTransform::complex) {}
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    ~Transform() = default;

    /// Elements that each array of any rank must have room for: enough for what it has before,
    /// during and after a transform.
    [[nodiscard]] std::size_t capacity() const { return plan_.capacity(); }
    /// The part of the input of a forward transform that this rank has, and the part of its output.
    [[nodiscard]] Box input_box() const { return plan_.space(); }
    [[nodiscard]] Box output_box() const { return plan_.spectrum(); }
    /// The same as planes. Throws `std::logic_error` if the grid has more than one column.
    [[nodiscard]] Planes input() const { return plan_.planes(input_box()); }
    [[nodiscard]] Planes output() const { return plan_.planes(output_box()); }
    [[nodiscard]] const Size& size() const { return plan_.size(); }
    [[nodiscard]] const Options& options() const { return plan_.options(); }
    /// The grid of the ranks: one column if the array is distributed in planes.
    [[nodiscard]] const Grid& grid() const { return plan_.grid(); }
    /// Messages that this rank sends to others in a forward transform. What it sends to one rank in
    /// an all-to-all counts as one.
    [[nodiscard]] std::uint64_t messages() const { return plan_.messages(); }
    /// These, and the parts that this rank copies instead of sending them to itself.
    [[nodiscard]] std::uint64_t units() const { return plan_.units(); }

    /// Transforms `in` to `out`. Each has room for `options().batch` arrays of `capacity()`
    /// elements and begins at a multiple of 16 bytes, as allocated memory does; otherwise throws
    /// `std::invalid_argument`. The two are the same, or do not overlap and `in` keeps its content.
    /// Collective; returns when this rank has its part of the result. `recorder`: `Phases`, which
    /// adds up what the time is spent on, or nothing. `prepare`: called before each plane of `in`
    /// is read.
    template <class Recorder = const NoPhases>
    void forward(const Complex* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        plan_.run(Sign::forward, in, out, false, recorder, prepare);
    }
    /// Transforms what `forward` returns back to what it takes.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        plan_.run(Sign::inverse, in, out, false, recorder, prepare);
    }

  private:
    TransposePlan<Real> plan_;
};

}  // namespace lapwing::fft
