#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/fft/lines/lines.hpp"

namespace lapwing::tools {

/// A kernel: Fourier transforms of lines of a three-dimensional array, as in NAS FT. It is not in
/// the library, because FFTW is under the GPL.
class FftLine {
  public:
    static constexpr const char* name = "fft";
    static constexpr std::size_t length = 1024;  ///< complex numbers in a line
    static constexpr std::size_t lines = 256;    ///< 4 MB, more than the caches near a core hold

    FftLine() : in_(length * lines), out_(in_.size()) {
        if constexpr (simulated_time) return;
        constexpr fft::LineShape shape{length, lines, 1, length};
        lines_ = fft::Lines<double>({shape, shape, in_.data(), out_.data(), false},
                                    fft::Sign::forward, fft::Effort::measure);
        for (std::size_t i = 0; i < in_.size(); ++i)
            in_[i] = {static_cast<double>(i % 7), static_cast<double>(i % 5)};
    }

    /// Floating-point operations of all lines, counted as usual: 5 n log2 n for a line.
    [[nodiscard]] static double operations() {
        return 5.0 * length * std::log2(static_cast<double>(length)) * static_cast<double>(lines);
    }
    /// Transforms all lines.
    void operator()() {
        if constexpr (simulated_time)
            charge(operations() / simulated_rate(name));
        else
            lines_(in_.data(), out_.data());
    }

  private:
    std::vector<std::complex<double>> in_;
    std::vector<std::complex<double>> out_;
    fft::Lines<double> lines_;
};

}  // namespace lapwing::tools
