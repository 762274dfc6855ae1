#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "lapwing/fft/all_to_all_channel.hpp"
#include "lapwing/fft/exchange.hpp"
#include "lapwing/fft/half.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/overlapped.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/put_channel.hpp"
#include "lapwing/fft/tiled.hpp"
#include "lapwing/fft/two_sided_channel.hpp"
#include "lapwing/transport/agreed.hpp"
#include "lapwing/transport/communicator.hpp"

namespace lapwing::fft {

/// The part of an array that a rank has: some planes across one axis.
struct Planes {
    std::size_t axis = 0;   ///< 0 or 1
    std::size_t first = 0;  ///< index of the first along that axis
    std::size_t count = 0;
};

/// Three-dimensional complex transforms of an array that is dealt to ranks in planes: planned once,
/// run often. `Real` is `float` or `double`.
///
///     lapwing::fft::Transform<double> transform(MPI_COMM_WORLD, {n0, n1, n2});
///     std::vector<std::complex<double>> data(transform.capacity());
///     transform.forward(data.data(), data.data());
///
/// A rank's input is its planes of the first axis, [local n0][n1][n2]; the output, where it is
/// transposed, its planes of the second, [local n1][n0][n2], and the input again where it is
/// natural. Neither direction divides by the number of elements: one after the other multiplies by
/// it.
///
/// Besides the arrays there is a buffer of `capacity()` elements, and with `tiled` a tile for each
/// all-to-all in flight. What fails in a transform takes the job down, see `on_failure`.
template <class Real>
class Transform {
  public:
    using Complex = std::complex<Real>;

    /// Collective over `ranks`, whose messages never meet the program's. `size`: elements along
    /// each axis, at least 1, the last contiguous in memory. Before anything is allocated, all
    /// ranks get the same `std::invalid_argument` where they do not ask for the same, the schedule
    /// does not fit the transport or there are more elements than memory has addresses.
    Transform(MPI_Comm ranks, const Size& size, const Options& options = {})
        : ranks_(ranks), size_(size), options_(checked(options)), capacity_(checked_capacity()) {
        const std::size_t bytes = capacity_ * sizeof(Complex);
        switch (options_.transport) {
            case Transport::collective:
                channel_.template emplace<AllToAllChannel>(ranks_.get(), bytes, row_bytes());
                break;
            case Transport::two_sided:
                channel_.template emplace<TwoSidedChannel>(ranks_.get(), bytes);
                break;
            case Transport::rma:
                channel_.template emplace<PutChannel>(ranks_.get(), bytes);
                break;
        }
        const bool natural = options_.order == Order::natural;
        add_half(forward_, Sign::forward, 0, true, !natural);
        if (natural) add_half(forward_, Sign::forward, 1, false, false);
        add_half(inverse_, Sign::inverse, natural ? 0 : 1, true, !natural);
        if (natural) add_half(inverse_, Sign::inverse, 1, false, false);
    }
    Transform(const Transform&) = delete;
    Transform& operator=(const Transform&) = delete;
    ~Transform() = default;

    /// Elements that the arrays of any rank must have room for: as many as the larger of what it
    /// has before and after.
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    /// What this rank has of the input of a forward transform, and of its output.
    [[nodiscard]] Planes input() const { return planes(0); }
    [[nodiscard]] Planes output() const {
        return planes(options_.order == Order::transposed ? 1 : 0);
    }
    [[nodiscard]] const Size& size() const { return size_; }
    [[nodiscard]] const Options& options() const { return options_; }
    /// Messages this rank sends to others in a transform. A part of an all-to-all is one.
    [[nodiscard]] std::uint64_t messages() const {
        std::uint64_t all = 0;
        for (const Half<Real>& half : forward_) {
            const Route& route = half.route();
            const std::uint64_t each =
                options_.schedule == Schedule::tiled
                    ? (route.a().count(rank()) + options_.tile - 1) / options_.tile
                    : 1;
            for (int other = 0; other < ranks_.size(); ++other)
                if (other != rank()) all += route.messages(rank(), other) * each;
        }
        return all;
    }

    /// Transforms `in` to `out`, each with room for `capacity()` elements and beginning at a
    /// multiple of 16 bytes, as allocated memory does. They are the same array or do not overlap;
    /// `in` then keeps its content. Collective. `recorder`: `Phases`, or nothing.
    template <class Recorder = const NoPhases>
    void forward(const Complex* in, Complex* out, Recorder& recorder = no_phases) {
        run(forward_, in, out, recorder);
    }
    /// The way back: from what `forward` gives to what it takes.
    template <class Recorder = const NoPhases>
    void inverse(const Complex* in, Complex* out, Recorder& recorder = no_phases) {
        run(inverse_, in, out, recorder);
    }

  private:
    [[nodiscard]] int rank() const { return ranks_.rank(); }
    [[nodiscard]] Blocks blocks(std::size_t axis) const { return {size_[axis], ranks_.size()}; }
    [[nodiscard]] Planes planes(std::size_t axis) const {
        return {axis, blocks(axis).first(rank()), blocks(axis).count(rank())};
    }
    [[nodiscard]] std::size_t row_bytes() const { return size_[2] * sizeof(Complex); }

    /// A turn from planes across `axis` to planes across the other of the first two.
    void add_half(std::vector<Half<Real>>& halves, Sign sign, std::size_t axis, bool rows,
                  bool last) {
        const Route route(options_.schedule, blocks(axis), blocks(1 - axis), row_bytes());
        halves.emplace_back(route, rank(), rows, last, sign, options_.effort);
    }
    [[nodiscard]] Complex* buffer() {
        return std::visit(
            [](auto& channel) -> Complex* {
                if constexpr (std::is_same_v<decltype(channel), std::monostate&>) {
                    return nullptr;
                } else {
                    return reinterpret_cast<Complex*>(channel.buffer());
                }
            },
            channel_);
    }

    template <class Recorder>
    void run(std::vector<Half<Real>>& halves, const Complex* in, Complex* out, Recorder& recorder) {
        require_aligned(in);
        require_aligned(out);
        for (Half<Real>& half : halves) {
            try {
                std::visit([&](auto& channel) { turn(half, channel, in, out, recorder); },
                           channel_);
            } catch (...) {
                failure::report(std::string("fft, ") + name(options_.schedule) + " over " +
                                name(options_.transport));
                throw;
            }
            const InPhase phase(recorder, Phase::computation);
            half.last(buffer(), out);
            in = out;
        }
    }
    template <class Channel, class Recorder>
    void turn(Half<Real>& half, Channel& channel, const Complex* in, Complex* out,
              Recorder& recorder) {
        if constexpr (std::is_same_v<Channel, AllToAllChannel>) {
            if (options_.schedule == Schedule::exchange) {
                exchange(half, channel, in, out, recorder);
            } else {
                tiled(half, channel, in, out, options_.tile, options_.window, recorder);
            }
        } else if constexpr (!std::is_same_v<Channel, std::monostate>) {
            if (options_.schedule == Schedule::exchange) {
                exchange(half, channel, in, out, recorder);
            } else {
                overlapped(half, channel, in, out, options_.window, recorder);
            }
        }
    }

    static void require_aligned(const Complex* data) {
        if (reinterpret_cast<std::uintptr_t>(data) % Lines<Real>::alignment != 0)
            throw std::invalid_argument("fft: an array must begin at a multiple of 16 bytes");
    }
    /// The options, if all ranks have the same and can follow them.
    [[nodiscard]] Options checked(const Options& options) const {
        const auto text = [](std::size_t number) { return std::to_string(number); };
        agreement::require("fft: ranks",
                           {{"size", shown()},
                            {"precision", text(sizeof(Real)) + " bytes"},
                            {"schedule", name(options.schedule)},
                            {"transport", name(options.transport)},
                            {"order", name(options.order)},
                            {"tile", text(options.tile)}},
                           ranks_);
        if (!fits(options.schedule, options.transport))
            throw std::invalid_argument(std::string("fft: the schedule ") + name(options.schedule) +
                                        " has no use for the transport " + name(options.transport));
        if (options.tile == 0) throw std::invalid_argument("fft: a tile has at least one plane");
        if (options.window < 0) throw std::invalid_argument("fft: a window is not negative");
        return options;
    }
    [[nodiscard]] std::size_t checked_capacity() const {
        if (std::find(size_.begin(), size_.end(), std::size_t{0}) != size_.end())
            throw std::invalid_argument("fft: an array of " + shown() + " has no elements");
        // Far from the end of what can be counted, and axes are counted in int.
        std::size_t room = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(Complex) / 2;
        for (const std::size_t length : size_) {
            if (length > INT_MAX || length > room)
                throw std::invalid_argument("fft: an array of " + shown() +
                                            " is larger than memory can be");
            room /= length;
        }
        return size_[2] * std::max(blocks(0).most() * size_[1], blocks(1).most() * size_[0]);
    }
    [[nodiscard]] std::string shown() const {
        return std::to_string(size_[0]) + "x" + std::to_string(size_[1]) + "x" +
               std::to_string(size_[2]);
    }

    Communicator ranks_;
    Size size_;
    Options options_;
    std::size_t capacity_;
    std::variant<std::monostate, TwoSidedChannel, PutChannel, AllToAllChannel> channel_;
    std::vector<Half<Real>> forward_;
    std::vector<Half<Real>> inverse_;
};

}  // namespace lapwing::fft
