#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <cstdint>

#include "lapwing/fft/box.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/turns.hpp"

namespace lapwing::fft {

/// Three-dimensional complex transforms of an array that is dealt to ranks: planned once, run
/// often. `Real` is `float` or `double`.
///
///     lapwing::fft::Transform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> data(transform.capacity());
///     transform.forward(data.data(), data.data());
///
/// Dealt in planes, a rank's input is its planes of the first axis, [local n0][n1][n2]; the output,
/// where it is transposed, its planes of the second, [local n1][n0][n2], and the input again where
/// it is natural. Dealt to a grid, the input is [local n0][local n1][n2], the first axis dealt to
/// rows of the grid and the second to its columns, and transposed output is
/// [local n1][n0][local n2]. Neither direction divides by the number of elements: one after the
/// other multiplies by it.
///
/// Besides the arrays there is a buffer of `capacity()` elements, two for a batch, with `tiled` a
/// tile for each all-to-all in flight, and in a grid a plane. What fails in a transform takes the
/// job down, see `on_failure`.
template <class Real>
class Transform {
  public:
    using Complex = std::complex<Real>;

    /// Collective over `ranks`, whose messages never meet the program's. `size`: elements along
    /// each axis, at least 1, the last contiguous in memory. Before anything is allocated, all
    /// ranks get the same `std::invalid_argument` where they do not ask for the same, the schedule
    /// does not fit the transport, the grid does not fit the ranks, there are more elements than
    /// memory has addresses, or a machine has too little memory left for the buffers of its ranks.
    Transform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : turns_(ranks, size, options, Rows::complex) {}
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    ~Transform() = default;

    /// Elements that the arrays of any rank must have room for: as many as the larger of what it
    /// has before and after, and on the way.
    [[nodiscard]] std::size_t capacity() const { return turns_.capacity(); }
    /// What this rank has of the input of a forward transform, and of its output.
    [[nodiscard]] Box input_box() const { return turns_.space(); }
    [[nodiscard]] Box output_box() const { return turns_.spectrum(); }
    /// The same, where it is dealt in planes. Throws `std::logic_error` where it is dealt to a grid
    /// of more than one column.
    [[nodiscard]] Planes input() const { return turns_.planes(input_box()); }
    [[nodiscard]] Planes output() const { return turns_.planes(output_box()); }
    [[nodiscard]] const Size& size() const { return turns_.size(); }
    [[nodiscard]] const Options& options() const { return turns_.options(); }
    /// Of the ranks: one column where the array is dealt in planes.
    [[nodiscard]] const Grid& grid() const { return turns_.grid(); }
    /// Messages this rank sends to others in a transform. A part of an all-to-all is one.
    [[nodiscard]] std::uint64_t messages() const { return turns_.messages(); }
    /// The same, and those it would send to itself.
    [[nodiscard]] std::uint64_t units() const { return turns_.units(); }

    /// Transforms `in` to `out`, each with room for `capacity()` elements for each array and
    /// beginning at a multiple of 16 bytes, as allocated memory does. They are the same array or do
    /// not overlap; `in` then keeps its content. Collective. `recorder`: `Phases`, or nothing.
    template <class Recorder = const NoPhases>
    void forward(const Complex* in, Complex* out, Recorder& recorder = no_phases) {
        turns_.run(turns_.forward(), in, out, false, recorder);
    }
    /// The way back: from what `forward` gives to what it takes.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Complex* out, Recorder& recorder = no_phases) {
        turns_.run(turns_.inverse(), in, out, false, recorder);
    }

  private:
    Turns<Real> turns_;
};

}  // namespace lapwing::fft
