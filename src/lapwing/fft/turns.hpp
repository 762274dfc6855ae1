#pragma once

#include <mpi.h>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "lapwing/fft/agreement.hpp"
#include "lapwing/fft/all_to_all_channel.hpp"
#include "lapwing/fft/box.hpp"
#include "lapwing/fft/exchange.hpp"
#include "lapwing/fft/grid.hpp"
#include "lapwing/fft/join_turn.hpp"
#include "lapwing/fft/memory_left.hpp"
#include "lapwing/fft/message_count.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/overlapped.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/plane_turn.hpp"
#include "lapwing/fft/possible.hpp"
#include "lapwing/fft/put_channel.hpp"
#include "lapwing/fft/split_turn.hpp"
#include "lapwing/fft/tiled.hpp"
#include "lapwing/fft/turn.hpp"
#include "lapwing/fft/two_sided_channel.hpp"
#include "lapwing/pipeline/failure.hpp"
#include "lapwing/transport/communicator.hpp"

namespace lapwing::fft {

/// The turns that transforms of complex or real arrays take there and back, and the channel over
/// which they go: what `Transform` and `RealTransform` have in common.
///
/// Planes turn once: rows and columns are transformed, planes across the first axis become planes
/// across the second, and lines along the first are transformed. In a grid the rows are split among
/// the ranks of its row before that, and columns are whole then. Natural order is the way back,
/// with nothing left to transform but what was left for it.
template <class Real>
class Turns {
  public:
    using Complex = std::complex<Real>;
    using Way = std::vector<std::unique_ptr<Turn<Real>>>;

    /// Collective. `rows`: `complex` or `real`, the elements of the array in space. Throws as
    /// `Transform` says.
    Turns(MPI_Comm ranks, const Size& size, const Options& options, Rows rows)
        : ranks_(ranks), size_(size), dealt_(size), options_(options), rows_(rows) {
        require_agreement(rows == Rows::real ? "real" : "complex", size, sizeof(Real), options,
                          ranks_);
        require_possible(options, ranks_.size());
        require_countable(size, sizeof(Complex));
        if (rows == Rows::real) dealt_[2] = size[2] / 2 + 1;
        grid_ = grid_of(options, dealt_, ranks_.size());
        capacity_ = grid_.capacity(dealt_);
        const std::size_t bytes = capacity_ * sizeof(Complex);
        require_memory(bytes * lanes(), ranks_);
        for (std::size_t lane = 0; lane < lanes(); ++lane) {
            switch (options_.transport) {
                case Transport::collective:
                    channels_[lane].template emplace<AllToAllChannel>(ranks_, grid_, bytes);
                    break;
                case Transport::two_sided:
                    channels_[lane].template emplace<TwoSidedChannel>(ranks_.get(), bytes);
                    break;
                case Transport::rma:
                    channels_[lane].template emplace<PutChannel>(ranks_.get(), bytes);
                    break;
            }
        }
        plan_forward();
        plan_inverse();
    }

    [[nodiscard]] const Size& size() const { return size_; }
    [[nodiscard]] const Options& options() const { return options_; }
    [[nodiscard]] const Grid& grid() const { return grid_; }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] Way& forward() { return forward_; }
    [[nodiscard]] Way& inverse() { return inverse_; }

    /// What this rank has of the array in space, and of its spectrum.
    [[nodiscard]] Box space() const { return natural(size_[2]); }
    [[nodiscard]] Box spectrum() const {
        if (options_.order == Order::natural) return natural(dealt_[2]);
        const Blocks b = in_column(1);
        const Blocks c = in_row(2);
        return {{0, b.first(row()), c.first(column())},
                {dealt_[0], b.count(row()), c.count(column())},
                {1, 0, 2}};
    }
    /// The same as planes. Throws `std::logic_error` where it is more than planes.
    [[nodiscard]] Planes planes(const Box& box) const {
        if (grid_.columns > 1)
            throw std::logic_error("fft: a rank of a grid has a box, which is no planes");
        return {box.order[0], box.first[box.order[0]], box.count[box.order[0]]};
    }
    /// Messages this rank sends to others in a forward transform. A part of an all-to-all is one.
    [[nodiscard]] std::uint64_t messages() const {
        return counted([](int member, int target) { return target != member; });
    }
    /// The same, and those it would send to itself.
    [[nodiscard]] std::uint64_t units() const {
        return counted([](int, int) { return true; });
    }

    /// Takes the arrays at `in` to `out`. Real ones are handed over as if they were complex.
    /// `padded`: whether their rows have the room of the spectrum's.
    template <class Recorder>
    void run(Way& way, const Complex* in, Complex* out, bool padded, Recorder& recorder) {
        require_aligned(in);
        require_aligned(out);
        for (const auto& turn : way) {
            turn->set_real_row(padded ? 2 * dealt_[2] : size_[2]);
            try {
                std::visit(
                    [&](auto& channel) {
                        if constexpr (!std::is_same_v<decltype(channel), std::monostate&>)
                            play(*turn, channel, in, out, recorder);
                    },
                    channels_[0]);
            } catch (...) {
                failure::report(std::string("fft, ") + name(options_.schedule) + " over " +
                                name(options_.transport));
                throw;
            }
            in = out;
        }
    }

  private:
    template <class Which>
    [[nodiscard]] std::uint64_t counted(Which&& which) const {
        std::uint64_t all = 0;
        for (const auto& turn : forward_)
            for (int target = 0; target < turn->route().ranks(); ++target)
                if (which(turn->member(), target))
                    all += message_count(turn->route(), turn->member(), target, options_);
        return all * options_.batch;
    }
    [[nodiscard]] int row() const { return grid_.row(ranks_.rank()); }
    [[nodiscard]] int column() const { return grid_.column(ranks_.rank()); }
    /// An axis dealt to the ranks of a column of the grid, or of a row.
    [[nodiscard]] Blocks in_column(std::size_t axis) const { return {dealt_[axis], grid_.rows}; }
    [[nodiscard]] Blocks in_row(std::size_t axis) const { return {dealt_[axis], grid_.columns}; }
    [[nodiscard]] Box natural(std::size_t length) const {
        const Blocks a = in_column(0);
        const Blocks b = in_row(1);
        return {{a.first(row()), b.first(column()), 0},
                {a.count(row()), b.count(column()), length},
                {0, 1, 2}};
    }

    /// From planes across `axis` to planes across the other of the first two.
    void turn_planes(Way& way, std::size_t axis, Rows before, bool last, Rows after, Sign sign) {
        const std::size_t row_bytes = in_row(2).count(column()) * sizeof(Complex);
        const Route route(options_.schedule, in_column(axis), in_column(1 - axis), row_bytes,
                          grid_.column_of(ranks_.rank()), options_.strips);
        const typename PlaneTurn<Real>::Work work = {before, last, after, size_[2]};
        way.push_back(std::make_unique<PlaneTurn<Real>>(route, row(), work, sign, effort()));
    }
    /// Within the planes of a row of the grid, from `a` dealt to its ranks to `b` dealt to them.
    [[nodiscard]] Route within_planes(std::size_t a, std::size_t b) const {
        return Route::within(in_column(0).count(row()), options_.schedule, in_row(a), in_row(b),
                             sizeof(Complex), grid_.row_of(ranks_.rank()));
    }
    void split(Way& way, Rows rows, Sign sign) {
        way.push_back(std::make_unique<SplitTurn<Real>>(within_planes(1, 2), column(), rows,
                                                        size_[2], sign, effort()));
    }
    void join(Way& way, bool columns, Rows rows, Sign sign) {
        const typename JoinTurn<Real>::Work work = {columns, rows, size_[2]};
        way.push_back(
            std::make_unique<JoinTurn<Real>>(within_planes(2, 1), column(), work, sign, effort()));
    }
    /// There in natural order: rows first, where they are transformed at all, and what is `left` of
    /// them at the end.
    void plan_natural(Way& way, Rows rows, Rows left, Sign sign) {
        if (split_at_all()) split(way, rows, sign);
        turn_planes(way, 0, split_at_all() ? Rows::none : rows, false, Rows::none, sign);
        turn_planes(way, 1, Rows::none, false, split_at_all() ? Rows::none : left, sign);
        if (split_at_all()) join(way, false, left, sign);
    }
    void plan_forward() {
        constexpr Sign sign = Sign::forward;
        if (options_.order == Order::natural)
            return plan_natural(forward_, rows_, Rows::none, sign);
        if (split_at_all()) split(forward_, rows_, sign);
        turn_planes(forward_, 0, split_at_all() ? Rows::none : rows_, true, Rows::none, sign);
    }
    void plan_inverse() {
        constexpr Sign sign = Sign::inverse;
        // Numbers are real only when everything else is done.
        const bool late = rows_ == Rows::real;
        if (options_.order == Order::natural)
            return plan_natural(inverse_, late ? Rows::none : rows_, late ? rows_ : Rows::none,
                                sign);
        if (split_at_all()) {
            turn_planes(inverse_, 1, Rows::none, false, Rows::none, sign);
            join(inverse_, true, rows_, sign);
        } else {
            turn_planes(inverse_, 1, late ? Rows::none : rows_, true, late ? rows_ : Rows::none,
                        sign);
        }
    }
    [[nodiscard]] bool split_at_all() const { return grid_.columns > 1; }
    /// Simulated time does not know how fast lines are transformed here.
    [[nodiscard]] Effort effort() const {
        return simulated_time ? Effort::estimate : options_.effort;
    }

    /// Whether something is done with what arrives before all of an array has.
    [[nodiscard]] bool overlaps() const {
        return options_.schedule != Schedule::exchange && options_.schedule != Schedule::tiled;
    }
    /// Arrays that are on their way at once: while one is sent, the next is transformed.
    [[nodiscard]] std::size_t lanes() const { return overlaps() && options_.batch > 1 ? 2 : 1; }
    template <class Channel, class Recorder>
    void play(Turn<Real>& turn, Channel& channel, const Complex* in, Complex* out,
              Recorder& recorder) {
        if constexpr (!std::is_same_v<Channel, AllToAllChannel>)
            if (overlaps()) return overlap<Channel>(turn, in, out, recorder);
        for (std::size_t array = 0; array < options_.batch; ++array) {
            const std::size_t at = array * capacity_;
            send_whole(turn, channel, in + at, out + at, recorder);
            const InPhase phase(recorder, Phase::computation);
            turn.after(reinterpret_cast<Complex*>(channel.buffer()), out + at, 0,
                       turn.planes_after());
        }
    }
    /// One array, of which nothing is done with what arrives before all of it has.
    template <class Channel, class Recorder>
    void send_whole(Turn<Real>& turn, Channel& channel, const Complex* in, Complex* out,
                    Recorder& recorder) {
        if constexpr (std::is_same_v<Channel, AllToAllChannel>) {
            if (options_.packing == Packing::derived)
                return exchange_by_type(turn, channel, in, out, recorder);
            if (options_.schedule == Schedule::tiled)
                return tiled(turn, channel, in, out, options_, recorder);
        }
        exchange(turn, channel, block_of(options_, turn, capacity_, in == out), in, out, recorder);
    }
    /// One array after another, each of which begins before the one before it has ended.
    template <class Channel, class Recorder>
    void overlap(Turn<Real>& turn, const Complex* in, Complex* out, Recorder& recorder) {
        const auto lane = [&](std::size_t array) -> Channel& {
            return std::get<Channel>(channels_[array % lanes()]);
        };
        std::array<std::optional<Overlapped<Real, Channel, Recorder>>, 2> under_way;
        for (std::size_t array = 0; array <= options_.batch; ++array) {
            if (array < options_.batch) {
                const std::size_t at = array * capacity_;
                under_way[array % 2].emplace(turn, lane(array), in + at, out + at, options_,
                                             recorder);
            }
            if (array == 0) continue;
            const std::size_t last = array - 1;
            under_way[last % 2]->finish();
            under_way[last % 2].reset();
        }
    }
    static void require_aligned(const Complex* data) {
        if (reinterpret_cast<std::uintptr_t>(data) % Lines<Real>::alignment != 0)
            throw std::invalid_argument("fft: an array must begin at a multiple of 16 bytes");
    }

    Communicator ranks_;
    Size size_;
    Size dealt_;  ///< of the spectrum: half of it, for real arrays
    Options options_;
    Rows rows_;
    Grid grid_;
    std::size_t capacity_ = 0;
    std::array<std::variant<std::monostate, TwoSidedChannel, PutChannel, AllToAllChannel>, 2>
        channels_;
    Way forward_;
    Way inverse_;
};

}  // namespace lapwing::fft
