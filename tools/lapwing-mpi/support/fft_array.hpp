#pragma once

#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/distribution/box.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::tools {

/// A number from 0 to 1 that depends on nothing but `index`.
[[nodiscard]] inline double scattered(std::uint64_t index) {
    index = (index + 1) * 0x9E3779B97F4A7C15U;
    index = (index ^ (index >> 30U)) * 0xBF58476D1CE4E5B9U;
    return static_cast<double>((index ^ (index >> 27U)) >> 11U) * 0x1p-53;
}

/// What a transformed array adds up to.
struct Sums {
    std::complex<double> weighted;  ///< each element times a number that its place decides
    double power = 0;               ///< squares of the magnitudes

    /// Whether two arrays are the same as far as these say; rounding apart. `elements`: of each.
    [[nodiscard]] bool same(const Sums& other, double elements) const {
        constexpr double rounding = 1e-13;
        return std::abs(weighted - other.weighted) <= rounding * std::sqrt(elements * power) &&
               std::abs(power - other.power) <= 1e-12 * power;
    }
};

/// A batch of arrays of `Number`s, real or complex, that are dealt to ranks, as a transform takes
/// or gives them.
template <class Number>
class FftArray {
  public:
    /// `size`: of each of the `batch` arrays. `capacity`: complex elements of which there is room
    /// for each.
    FftArray(const fft::Size& size, std::size_t batch, std::size_t capacity)
        : size_(size),
          batch_(batch),
          apart_(capacity * (std::is_same_v<Number, double> ? 2 : 1)),
          data_(batch * apart_) {}

    [[nodiscard]] Number* data() { return data_.data(); }
    /// Numbers that are the same however the arrays are dealt. `box`: this rank's part of each.
    void fill(const fft::Box& box) {
        each(box, [](Number& element, std::uint64_t index, std::size_t) {
            if constexpr (std::is_same_v<Number, double>) {
                element = scattered(index);
            } else {
                element = {scattered(2 * index), scattered(2 * index + 1)};
            }
        });
    }
    /// Of whole arrays, on all ranks of `ranks`, which call this together. `weight(k)`: how often
    /// the power of an element counts whose index along the last axis is k.
    template <class Weight>
    [[nodiscard]] Sums sums(const fft::Box& box, MPI_Comm ranks, Weight&& weight) {
        Sums mine;
        each(box, [&](const Number& element, std::uint64_t index, std::size_t k) {
            mine.weighted += element * scattered(index);
            mine.power += weight(k) * std::norm(element);
        });
        double all[] = {mine.weighted.real(), mine.weighted.imag(), mine.power};
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_DOUBLE, MPI_SUM, ranks), "MPI_Allreduce");
        return {{all[0], all[1]}, all[2]};
    }

  private:
    /// Calls `action(element, index, k)`, the index that of the arrays [n0][n1][n2] in one piece.
    template <class Action>
    void each(const fft::Box& box, Action&& action) {
        const auto [slow, middle, fast] = box.order;
        for (std::size_t array = 0; array < batch_; ++array) {
            Number* element = data() + array * apart_;
            fft::Size at = box.first;
            const auto end = [&](std::size_t axis) { return box.first[axis] + box.count[axis]; };
            for (at[slow] = box.first[slow]; at[slow] < end(slow); ++at[slow])
                for (at[middle] = box.first[middle]; at[middle] < end(middle); ++at[middle])
                    for (at[fast] = box.first[fast]; at[fast] < end(fast); ++at[fast]) {
                        const std::size_t row = (array * size_[0] + at[0]) * size_[1] + at[1];
                        action(*element++, row * size_[2] + at[2], at[2]);
                    }
        }
    }

    fft::Size size_;
    std::size_t batch_;
    std::size_t apart_;  ///< numbers from one array to the next
    Storage<Number> data_;
};

}  // namespace lapwing::tools
