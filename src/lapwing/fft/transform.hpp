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
/// k2 / n2)). The inverse has the other sign. Neither divides by the number of elements: both in
/// turn multiply by it.
///
/// Layout of a rank's part; natural order has the layout of the input:
///
///     planes  input [local n0][n1][n2]        transposed output [local n1][n0][n2]
///     grid    input [local n0][local n1][n2]  transposed output [local n1][n0][local n2]
///
/// In a grid, the first axis is distributed over the rows of the grid, the second over its columns.
/// Indices are distributed as evenly as possible, in the order of the ranks, see `input_box()` and
/// `output_box()`.
///
/// Besides the arrays, a transform needs a buffer of `capacity()` elements, or two for a batch that
/// overlaps. `tiled` also needs a tile for each all-to-all in flight, and a grid needs a plane. An
/// error during a transform ends the job, see `on_failure`.
///
/// Use by one thread at a time. Destruction is collective, and must precede `MPI_Finalize`.
template <class Real>
class Transform {
  public:
    using Complex = std::complex<Real>;

    /// Collective over `ranks`; makes its own communicator of them. `size`: elements along each
    /// axis, at least 1; the last axis is contiguous in memory. FFTW plans lines by
    /// `options.effort` in separate memory: it touches no array.
    ///
    /// All ranks get the same `std::invalid_argument`, before any allocation, if they ask for
    /// different transforms or if the array is too large for addresses. Likewise if the schedule
    /// does not fit the transport, the grid does not fit the ranks, or a machine lacks memory for
    /// the buffers of its ranks.
    Transform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : plan_(ranks, size, options, RowTransform::complex) {}
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    ~Transform() = default;

    /// Elements to allocate for each array, the same on all ranks: enough before, during and after
    /// a transform.
    [[nodiscard]] std::size_t capacity() const { return plan_.capacity(); }
    /// This rank's part of the input of a forward transform, and of its output.
    [[nodiscard]] Box input_box() const { return plan_.space(); }
    [[nodiscard]] Box output_box() const { return plan_.spectrum(); }
    /// The same parts as planes. Throws `std::logic_error` if the grid has more than one column.
    [[nodiscard]] Planes input() const { return plan_.planes(input_box()); }
    [[nodiscard]] Planes output() const { return plan_.planes(output_box()); }
    [[nodiscard]] const Size& size() const { return plan_.size(); }
    [[nodiscard]] const Options& options() const { return plan_.options(); }
    /// The grid of ranks. Planes have one column.
    [[nodiscard]] const Grid& grid() const { return plan_.grid(); }
    /// Messages from this rank to others in a forward transform. An all-to-all counts one message
    /// to each rank.
    [[nodiscard]] std::uint64_t messages() const { return plan_.messages(); }
    /// `messages()`, and the parts that this rank copies to itself.
    [[nodiscard]] std::uint64_t units() const { return plan_.units(); }

    /// Transforms `in` to `out`. Each holds `options().batch` arrays of `capacity()` elements. The
    /// two are the same, or do not overlap; then `in` keeps its content. Collective; returns when
    /// this rank has its part of the result.
    ///
    /// `recorder`: `Phases`, to add up the time of each phase, or nothing. `prepare`: called before
    /// each plane of `in` is read. Throws `std::invalid_argument` if an array does not begin at a
    /// multiple of 16 bytes, as allocated memory does.
    template <class Recorder = const NoPhases>
    void forward(const Complex* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        plan_.run(Sign::forward, in, out, false, recorder, prepare);
    }
    /// Transforms a spectrum, laid out as the output of `forward`, back.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Complex* out, Recorder& recorder = no_phases,
                 const Prepare& prepare = {}) {
        plan_.run(Sign::inverse, in, out, false, recorder, prepare);
    }

  private:
    TransposePlan<Real> plan_;
};

}  // namespace lapwing::fft
