#pragma once

#include <mpi.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "lapwing/fft/channels/all_to_all_channel.hpp"
#include "lapwing/fft/channels/put_channel.hpp"
#include "lapwing/fft/channels/two_sided_channel.hpp"
#include "lapwing/fft/distribution/agreement.hpp"
#include "lapwing/fft/distribution/box.hpp"
#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/message_count.hpp"
#include "lapwing/fft/distribution/require_memory.hpp"
#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/distribution/validate.hpp"
#include "lapwing/fft/drivers/run_batch.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/prepare.hpp"
#include "lapwing/fft/transpose/column_to_row_transpose.hpp"
#include "lapwing/fft/transpose/row_to_column_transpose.hpp"
#include "lapwing/fft/transpose/slab_transpose.hpp"
#include "lapwing/fft/transpose/transpose.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing::fft {

/// The common part of `Transform` and `RealTransform`: this rank's transposes of a forward and an
/// inverse transform, and their channels.
template <class Real>
class TransposePlan {
  public:
    using Complex = std::complex<Real>;

    /// Collective. `rows`: `complex` or `real`, the kind of the array in space. Throws as the
    /// constructor of `Transform` does.
    TransposePlan(MPI_Comm ranks, const Size& size, const Options& options, RowTransform rows)
        : ranks_(ranks),
          array_{size, rows, sizeof(Complex)},
          spectrum_(array_.spectrum()),
          options_(options) {
        require_agreement(rows == RowTransform::real ? "real" : "complex", size, sizeof(Real),
                          options, ranks_);
        require_valid(options, ranks_.size());
        require_addressable(size, sizeof(Complex));
        grid_ = grid_of(options, spectrum_, ranks_.size());
        // Every array of a batch must be aligned as the first one is.
        constexpr std::size_t together = Lines<Real>::alignment / sizeof(Complex);
        capacity_ = (grid_.capacity(spectrum_) + together - 1) / together * together;
        const std::size_t bytes = capacity_ * sizeof(Complex);
        require_memory(bytes * arrays_in_flight(options_), ranks_);
        for (std::size_t i = 0; i < arrays_in_flight(options_); ++i) open(channels_[i], bytes);
        steps_ = forward_steps(array_, grid_, ranks_.rank(), options_);
        for (const TransposeStep& step : steps_) forward_.push_back(transpose_of(step));
        for (const TransposeStep& step : inverse_steps(array_, grid_, ranks_.rank(), options_))
            inverse_.push_back(transpose_of(step));
    }

    [[nodiscard]] const Size& size() const { return array_.size; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const Grid& grid() const { return grid_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }

    /// This rank's part of the array in space, and of its spectrum.
    [[nodiscard]] Box space() const { return natural(array_.size[2]); }
    [[nodiscard]] Box spectrum() const {
        if (options_.order == Order::natural) return natural(spectrum_[2]);
        const BlockDistribution b(spectrum_[1], grid_.rows);
        const BlockDistribution c(spectrum_[2], grid_.columns);
        return {{0, b.first(row()), c.first(column())},
                {spectrum_[0], b.count(row()), c.count(column())},
                {1, 0, 2}};
    }
    /// The box as planes. Throws `std::logic_error` if the grid has more than one column.
    [[nodiscard]] Planes planes(const Box& box) const {
        if (grid_.columns > 1)
            throw std::logic_error("fft: a rank of a grid has a box, which is no planes");
        return {box.order[0], box.first[box.order[0]], box.count[box.order[0]]};
    }
    /// Messages from this rank to others in a forward transform. An all-to-all counts one message
    /// to each rank.
    [[nodiscard]] std::uint64_t messages() const {
        return message_count(steps_, options_, Targets::others);
    }
    /// `messages()`, and those to itself.
    [[nodiscard]] std::uint64_t units() const {
        return message_count(steps_, options_, Targets::all);
    }

    /// Transforms the arrays at `in` to `out`. Real arrays are passed as if they were complex.
    /// `padded`: whether rows of real numbers are as far apart as those of the spectrum.
    template <class Recorder>
    void run(Sign sign, const Complex* in, Complex* out, bool padded, Recorder& recorder,
             const Prepare& prepare) {
        require_aligned(in);
        require_aligned(out);
        Transposes& transposes = sign == Sign::forward ? forward_ : inverse_;
        transposes.front()->set_prepare(nullptr);
        if (prepare) {
            const Complex* const first = in;
            transposes.front()->set_prepare(
                [this, first, &prepare](const Complex* array, std::size_t p) {
                    prepare(static_cast<std::size_t>(array - first) / capacity_, p);
                });
        }
        for (const auto& transpose : transposes) {
            transpose->set_real_row_distance(padded ? 2 * spectrum_[2] : array_.size[2]);
            try {
                run(*transpose, {in, out, capacity_}, recorder);
            } catch (...) {
                failure::report(std::string("fft, ") + name(options_.schedule) + " over " +
                                name(options_.transport));
                throw;
            }
            in = out;
        }
    }

  private:
    using Transposes = std::vector<std::unique_ptr<Transpose<Real>>>;
    /// Nothing, or the channel of the transport.
    using AnyChannel = std::variant<std::monostate, TwoSidedChannel, PutChannel, AllToAllChannel>;

    /// Collective.
    void open(AnyChannel& channel, std::size_t bytes) const {
        switch (options_.transport) {
            case Transport::collective:
                channel.template emplace<AllToAllChannel>(ranks_, grid_, bytes);
                return;
            case Transport::two_sided:
                channel.template emplace<TwoSidedChannel>(ranks_.get(), bytes);
                return;
            case Transport::rma:
            case Transport::ucx:
            case Transport::shmem:
                channel.template emplace<PutChannel>(options_.transport, ranks_.get(), bytes);
                return;
        }
    }
    /// Runs one transpose over the channels of the transport.
    template <class Recorder>
    void run(Transpose<Real>& transpose, const Batch<Transpose<Real>>& batch, Recorder& recorder) {
        const auto run_over = [&](auto& channel) {
            using Channel = std::remove_reference_t<decltype(channel)>;
            if constexpr (!std::is_same_v<Channel, std::monostate>)
                run_batch(
                    transpose,
                    [&](std::size_t array) -> Channel& {
                        return std::get<Channel>(channels_[array]);
                    },
                    batch, options_, recorder);
        };
        std::visit(run_over, channels_[0]);
    }
    [[nodiscard]] int row() const { return grid_.row(ranks_.rank()); }
    [[nodiscard]] int column() const { return grid_.column(ranks_.rank()); }
    [[nodiscard]] Box natural(std::size_t length) const {
        const BlockDistribution a(spectrum_[0], grid_.rows);
        const BlockDistribution b(spectrum_[1], grid_.columns);
        return {{a.first(row()), b.first(column()), 0},
                {a.count(row()), b.count(column()), length},
                {0, 1, 2}};
    }

    /// What computes a step.
    [[nodiscard]] std::unique_ptr<Transpose<Real>> transpose_of(const TransposeStep& step) const {
        switch (step.kind) {
            case TransposeStep::Kind::slabs:
                return std::make_unique<SlabTranspose<Real>>(step, effort());
            case TransposeStep::Kind::rows_to_columns:
                return std::make_unique<RowToColumnTranspose<Real>>(step, effort());
            case TransposeStep::Kind::columns_to_rows:
                break;
        }
        return std::make_unique<ColumnToRowTranspose<Real>>(step, effort());
    }
    /// Simulated time does not depend on how fast FFTW's plans are.
    [[nodiscard]] Effort effort() const {
        return simulated_time ? Effort::estimate : options_.effort;
    }

    static void require_aligned(const Complex* data) {
        if (reinterpret_cast<std::uintptr_t>(data) % Lines<Real>::alignment != 0)
            throw std::invalid_argument("fft: an array must begin at a multiple of 16 bytes");
    }

    Communicator ranks_;
    DistributedArray array_;
    Size spectrum_;
    Options options_;
    Grid grid_;
    std::size_t capacity_ = 0;
    std::array<AnyChannel, 2> channels_;  ///< `arrays_in_flight` of them
    std::vector<TransposeStep> steps_;    ///< of a forward transform
    Transposes forward_;
    Transposes inverse_;
};

}  // namespace lapwing::fft
