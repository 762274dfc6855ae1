#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/fft/lines/effort.hpp"

namespace lapwing::fft {

/// One-dimensional transforms between n real numbers and the n/2 + 1 elements that determine their
/// spectrum, planned once and run often. `Real` is `float` or `double`. It copies lines to and from
/// a buffer that fits a near cache. So a line may begin anywhere and be transformed in place.
template <class Real>
class RealLine {
  public:
    using Complex = std::complex<Real>;

    RealLine() = default;
    /// `length`: real numbers of a line, at least 1. Throws `std::invalid_argument` if it is 0 or
    /// more than an `int`, and `std::runtime_error` if FFTW has no plan for it.
    RealLine(std::size_t length, Effort effort);
    RealLine(RealLine&& other) noexcept;
    RealLine& operator=(RealLine&& other) noexcept;
    RealLine(const RealLine&) = delete;
    RealLine& operator=(const RealLine&) = delete;
    ~RealLine();

    /// Transforms the n numbers at `from` to the n/2 + 1 elements at `to`, or back.
    void forward(const Real* from, Complex* to);
    void inverse(const Complex* from, Real* to);
    /// Floating-point operations of one call, 2.5 n log2 n: half of those of a complex line.
    [[nodiscard]] double operations() const { return operations_; }

  private:
    std::size_t length_ = 0;
    std::vector<Complex> numbers_;  ///< real numbers, two in each element
    std::vector<Complex> spectrum_;
    void* forward_ = nullptr;
    void* inverse_ = nullptr;
    double operations_ = 0;
};

extern template class RealLine<float>;
extern template class RealLine<double>;

}  // namespace lapwing::fft
