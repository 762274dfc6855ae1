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

/// A pseudo-random number from 0 to 1 that depends only on `index`.
[[nodiscard]] inline double scattered(std::uint64_t index) {
    index = (index + 1) * 0x9E3779B97F4A7C15U;
    index = (index ^ (index >> 30U)) * 0xBF58476D1CE4E5B9U;
    return static_cast<double>((index ^ (index >> 27U)) >> 11U) * 0x1p-53;
}

/// Two sums over an array, by which arrays are compared.
struct Sums {
    std::complex<double> weighted;  ///< of each element times a number that depends on its place
    double power = 0;               ///< of the squares of the magnitudes

    /// Whether the sums are equal up to rounding. `elements`: number of elements of each array.
    [[nodiscard]] bool same(const Sums& other, double elements) const {
        constexpr double rounding = 1e-13;
        return std::abs(weighted - other.weighted) <= rounding * std::sqrt(elements * power) &&
               std::abs(power - other.power) <= 1e-12 * power;
    }
};

/// A batch of arrays of real or complex `Number`s, distributed over ranks as transforms have them.
template <class Number>
class FftArray {
  public:
    /// `size`: elements of each of the `batch` arrays along each axis. `capacity`: complex elements
    /// for which each has room on this rank.
    FftArray(const fft::Size& size, std::size_t batch, std::size_t capacity)
        : size_(size),
          batch_(batch),
          apart_(capacity * (std::is_same_v<Number, double> ? 2 : 1)),
          data_(batch * apart_) {}

    [[nodiscard]] Number* data() { return data_.data(); }
    /// Fills the arrays with numbers that do not depend on their distribution. `box`: this rank's
    /// part of each.
    void fill(const fft::Box& box) {
        each(box, [](Number& element, std::uint64_t index, std::size_t) {
            if constexpr (std::is_same_v<Number, double>) {
                element = scattered(index);
            } else {
                element = {scattered(2 * index), scattered(2 * index + 1)};
            }
        });
    }
    /// The sums over whole arrays; all ranks of `ranks` call it and get the same. `weight(k)`: how
    /// often an element counts in the power whose index along the last axis is k.
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
    /// Calls `action(element, index, k)` for each element. `index`: in the whole batch, stored as
    /// [batch][n0][n1][n2]; `k`: along the last axis.
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
