#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/fft/lines/charged_lines.hpp"
#include "lapwing/fft/lines/lines.hpp"
#include "lapwing/fft/lines/real_line.hpp"
#include "lapwing/fft/lines/row_transform.hpp"
#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing::fft {

/// Transforms rows, the lines that are contiguous in memory, one at a time, and polls between them.
template <class Real>
class RowLines {
  public:
    using Complex = std::complex<Real>;

    RowLines() = default;
    /// `length`: elements of a row, of a real row its real numbers; 0 transforms nothing. `sign`
    /// counts for complex rows only.
    RowLines(RowTransform rows, std::size_t length, Sign sign, Effort effort)
        : rows_(length == 0 ? RowTransform::none : rows) {
        if (rows_ == RowTransform::complex) {
            const bool aligned = length * sizeof(Complex) % Lines<Real>::alignment == 0;
            const LineShape line = {length, 1, 1, length};
            std::vector<Complex> scratch(length);
            complex_ = ChargedLines<Real>(
                Lines<Real>({line, line, scratch.data(), scratch.data(), aligned}, sign, effort));
        }
        if (rows_ == RowTransform::real)
            real_ = ChargedRealLine<Real>(RealLine<Real>(length, effort));
    }

    [[nodiscard]] RowTransform rows() const { return rows_; }
    /// Transforms a complex row in place.
    void complex(Complex* row) const {
        complex_(row, row);
        poll();
    }
    /// Transforms n real numbers to half their spectrum, n/2 + 1 elements.
    void real(const Real* from, Complex* to) {
        real_.forward(from, to);
        poll();
    }
    /// Transforms half a spectrum back to the real numbers.
    void real(const Complex* from, Real* to) {
        real_.inverse(from, to);
        poll();
    }

  private:
    RowTransform rows_ = RowTransform::none;
    ChargedLines<Real> complex_;
    ChargedRealLine<Real> real_;
};

}  // namespace lapwing::fft
