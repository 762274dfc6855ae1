#pragma once

#include <complex>
#include <utility>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/fft/lines.hpp"

namespace lapwing::fft {

/// `Lines` that take simulated time on a simulated cluster, at its rate of "fft".
template <class Real>
class Stage {
  public:
    using Complex = std::complex<Real>;

    Stage() = default;
    explicit Stage(Lines<Real> lines)
        : lines_(std::move(lines)),
          seconds_(simulated_time ? lines_.operations() / simulated_rate("fft") : 0) {}

    void operator()(const Complex* in, Complex* out) const {
        lines_(in, out);
        charge(seconds_);
    }

  private:
    Lines<Real> lines_;
    double seconds_ = 0;
};

}  // namespace lapwing::fft
