#pragma once

#include <complex>
#include <utility>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/no_data.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/fft/lines/lines.hpp"
#include "lapwing/fft/lines/real_line.hpp"

namespace lapwing::fft {

/// `Lines` that on a simulated cluster also charge simulated time: their operations at the
/// cluster's rate of the kernel "fft".
template <class Real>
class ChargedLines {
  public:
    using Complex = std::complex<Real>;

    ChargedLines() = default;
    explicit ChargedLines(Lines<Real> lines)
        : lines_(std::move(lines)),
          seconds_(simulated_time ? lines_.operations() / simulated_rate("fft") : 0) {}

    void operator()(const Complex* in, Complex* out) const {
        if (!no_data()) lines_(in, out);
        charge(seconds_);
    }

  private:
    Lines<Real> lines_;
    double seconds_ = 0;
};

/// A `RealLine` that charges simulated time in the same way.
template <class Real>
class ChargedRealLine {
  public:
    ChargedRealLine() = default;
    explicit ChargedRealLine(RealLine<Real> line)
        : line_(std::move(line)),
          seconds_(simulated_time ? line_.operations() / simulated_rate("fft") : 0) {}

    void forward(const Real* from, std::complex<Real>* to) {
        if (!no_data()) line_.forward(from, to);
        charge(seconds_);
    }
    void inverse(const std::complex<Real>* from, Real* to) {
        if (!no_data()) line_.inverse(from, to);
        charge(seconds_);
    }

  private:
    RealLine<Real> line_;
    double seconds_ = 0;
};

}  // namespace lapwing::fft
