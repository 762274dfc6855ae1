#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/fft/lines/effort.hpp"

namespace lapwing::fft {

/// One-dimensional transforms between n real numbers and the n/2 + 1 elements of their spectrum
/// that determine the others: planned once, for `float` and `double`. A line is transformed in
/// memory that the caches near a core hold, so it may begin anywhere, and be transformed in place.
template <class Real>
class RealLine {
  public:
    using Complex = std::complex<Real>;

    RealLine() = default;
    /// `length`: real numbers of a line, at least 1.
    RealLine(std::size_t length, Effort effort);
    RealLine(RealLine&& other) noexcept;
    RealLine& operator=(RealLine&& other) noexcept;
    RealLine(const RealLine&) = delete;
    RealLine& operator=(const RealLine&) = delete;
    ~RealLine();

    void forward(const Real* from, Complex* to);
    void inverse(const Complex* from, Real* to);
    /// Floating-point operations of one call, half of what a complex line takes.
    [[nodiscard]] double operations() const { return operations_; }

  private:
    std::size_t length_ = 0;
    std::vector<Complex> numbers_;  ///< real ones, two in an element
    std::vector<Complex> spectrum_;
    void* forward_ = nullptr;
    void* inverse_ = nullptr;
    double operations_ = 0;
};

extern template class RealLine<float>;
extern template class RealLine<double>;

}  // namespace lapwing::fft
