#pragma once

#include <complex>
#include <cstddef>

#include "lapwing/fft/lines/effort.hpp"

namespace lapwing::fft {

/// Where the lines of an array lie, in elements.
struct LineShape {
    std::size_t length = 0;    ///< elements of a line
    std::size_t count = 0;     ///< number of lines
    std::size_t stride = 1;    ///< from an element of a line to the next
    std::size_t distance = 0;  ///< from the first element of a line to that of the next
};

/// What `Lines` are planned for (FFTW: a problem).
template <class Real>
struct LineProblem {
    LineShape from;
    LineShape to;  ///< as many lines of the same length as `from`
    /// Memory of these shapes, the same for transforms in place. Planning overwrites it.
    std::complex<Real>* in = nullptr;
    std::complex<Real>* out = nullptr;
    /// Whether every array to be transformed begins at a multiple of `Lines::alignment` bytes.
    bool aligned = true;
};

/// One-dimensional complex transforms of many lines on one rank by FFTW 3, planned once and run
/// often. `Real` is `float` or `double`. FFTW plans on one thread at a time.
template <class Real>
class Lines {
  public:
    using Complex = std::complex<Real>;

    Lines() = default;
    /// Throws `std::invalid_argument` if the two shapes differ in length or count, and
    /// `std::runtime_error` if FFTW has no plan for them.
    Lines(const LineProblem<Real>& problem, Sign sign, Effort effort);
    Lines(Lines&& other) noexcept;
    Lines& operator=(Lines&& other) noexcept;
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    ~Lines();

    /// Transforms all lines at `in` to `out`. Lines planned in place take `in == out`; otherwise
    /// `in` keeps its content.
    void operator()(const Complex* in, Complex* out) const;
    /// Floating-point operations of one call, by the usual count of 5 n log2 n for a line.
    [[nodiscard]] double operations() const { return operations_; }

    static constexpr std::size_t alignment = 16;  ///< bytes

  private:
    void* plan_ = nullptr;  ///< null if there are no lines
    double operations_ = 0;
};

extern template class Lines<float>;
extern template class Lines<double>;

}  // namespace lapwing::fft
