#pragma once

#include <mpi.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>

#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/transform.hpp"
#include "lapwing/transport/mpi_error.hpp"

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

/// An array that is dealt to ranks in planes, as a transform takes it and gives it.
class FftArray {
  public:
    using Complex = std::complex<double>;

    FftArray(const fft::Size& size, std::size_t capacity) : size_(size), data_(capacity) {}

    [[nodiscard]] Complex* data() { return data_.data(); }
    /// Numbers that are the same however the array is dealt.
    void fill(const fft::Planes& planes) {
        each(planes, [](Complex& element, std::uint64_t index) {
            element = {scattered(2 * index), scattered(2 * index + 1)};
        });
    }
    /// Of the whole array, on all ranks of `ranks`, which call this together.
    [[nodiscard]] Sums sums(const fft::Planes& planes, MPI_Comm ranks) {
        Sums mine;
        each(planes, [&](const Complex& element, std::uint64_t index) {
            mine.weighted += element * scattered(index);
            mine.power += std::norm(element);
        });
        double all[] = {mine.weighted.real(), mine.weighted.imag(), mine.power};
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_DOUBLE, MPI_SUM, ranks), "MPI_Allreduce");
        return {{all[0], all[1]}, all[2]};
    }

  private:
    /// Calls `action(element, index)`, the index that of the array [n0][n1][n2] in one piece.
    template <class Action>
    void each(const fft::Planes& planes, Action&& action) {
        const std::size_t other = 1 - planes.axis;
        Complex* element = data_.data();
        for (std::size_t plane = planes.first; plane < planes.first + planes.count; ++plane)
            for (std::size_t i = 0; i < size_[other]; ++i) {
                const std::size_t first =
                    planes.axis == 0 ? plane * size_[1] + i : i * size_[1] + plane;
                for (std::size_t k = 0; k < size_[2]; ++k) action(*element++, first * size_[2] + k);
            }
    }

    fft::Size size_;
    Storage<Complex> data_;
};

}  // namespace lapwing::tools
