#pragma once

#include <complex>
#include <cstddef>

#include "lapwing/fft/lines/effort.hpp"

namespace lapwing::fft {

/// Where the lines of an array lie. All in elements.
struct LineShape {
    std::size_t length = 0;    ///< of a line
    std::size_t count = 0;     ///< lines
    std::size_t stride = 1;    ///< between the elements of a line
    std::size_t distance = 0;  ///< between the first elements of two lines
};

/// One-dimensional transforms of many lines on one rank, planned once: all that is asked of the
/// library that makes them, which is FFTW 3. For `float` and `double`. Planning is for one thread
/// at a time.
template <class Real>
class Lines {
  public:
    using Complex = std::complex<Real>;

    Lines() = default;
    /// Plans the transforms of the lines `from` says into lines that lie as `to` says, as many of
    /// the same length. `in` and `out` are places of that shape, the same one for transforms in
    /// place; their content is lost. `aligned`: whether every place that is ever transformed begins
    /// at a multiple of `alignment` bytes.
    Lines(const LineShape& from, const LineShape& to, Sign sign, Effort effort, Complex* in,
          Complex* out, bool aligned = true);
    Lines(Lines&& other) noexcept;
    Lines& operator=(Lines&& other) noexcept;
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;
    ~Lines();

    /// Transforms. `in` is `out` where it was so when this was planned, and otherwise keeps its
    /// content.
    void operator()(const Complex* in, Complex* out) const;
    /// Floating-point operations of one call, as they are usually counted: 5 n log2 n for a line.
    [[nodiscard]] double operations() const { return operations_; }

    static constexpr std::size_t alignment = 16;  ///< bytes

  private:
    void* plan_ = nullptr;  ///< none where there are no lines
    double operations_ = 0;
};

extern template class Lines<float>;
extern template class Lines<double>;

}  // namespace lapwing::fft
