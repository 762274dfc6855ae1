#pragma once

#include <fftw3.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/rates.hpp"

namespace lapwing::tools {

/// Fourier transforms of lines of a three-dimensional array, as NAS FT makes them. Here and not in
/// the library, for FFTW is under the GPL.
class FftLine {
  public:
    static constexpr const char* name = "fft";
    static constexpr int length = 1024;        ///< complex numbers in a line
    static constexpr std::size_t lines = 256;  ///< 4 MB: a plane, more than the caches near a core

    FftLine() : in_(length * lines, {1, 0.5}), out_(in_.size()) {
        if constexpr (simulated_time) return;
        // Planning by measurement writes to both.
        plan_ = fftw_plan_dft_1d(length, data(in_), data(out_), FFTW_FORWARD, FFTW_MEASURE);
        for (std::size_t i = 0; i < in_.size(); ++i)
            in_[i] = {static_cast<double>(i % 7), static_cast<double>(i % 5)};
    }
    FftLine(const FftLine&) = delete;
    FftLine& operator=(const FftLine&) = delete;
    ~FftLine() {
        if (plan_ != nullptr) fftw_destroy_plan(plan_);
    }

    /// Floating-point operations of all lines, as they are usually counted: 5 n log2 n for a line.
    [[nodiscard]] static double operations() {
        return 5.0 * length * std::log2(static_cast<double>(length)) * static_cast<double>(lines);
    }
    /// Transforms all lines.
    void operator()() {
        if constexpr (simulated_time) {
            charge(operations() / simulated_rate(name));
            return;
        }
        for (std::size_t line = 0; line < lines; ++line)
            fftw_execute_dft(plan_, data(in_) + line * length, data(out_) + line * length);
    }

  private:
    static fftw_complex* data(std::vector<std::complex<double>>& numbers) {
        return reinterpret_cast<fftw_complex*>(numbers.data());
    }

    std::vector<std::complex<double>> in_;
    std::vector<std::complex<double>> out_;
    fftw_plan plan_ = nullptr;
};

}  // namespace lapwing::tools
