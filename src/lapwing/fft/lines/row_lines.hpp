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

/// Transforms rows, lines that are contiguous in memory, one at a time. Polls between
/// them.
template <class Real>
class RowLines {
  public:
    using Complex = std::complex<Real>;

    RowLines() = default;
    /// `length`: elements of a row; of real ones, real numbers. `sign` is for complex rows.
    RowLines(RowTransform rows, std::size_t length, Sign sign, Effort effort)
        : rows_(length == 0 ? RowTransform::none : rows) {
        if (rows_ == RowTransform::complex) {
            const bool aligned = length * sizeof(Complex) % Lines<Real>::alignment == 0;
            const LineShape line = {length, 1, 1, length};
            std::vector<Complex> scratch(length);
            complex_ = ChargedLines<Real>(
                Lines<Real>(line, line, sign, effort, scratch.data(), scratch.data(), aligned));
        }
        if (rows_ == RowTransform::real)
            real_ = ChargedRealLine<Real>(RealLine<Real>(length, effort));
    }

    [[nodiscard]] RowTransform rows() const { return rows_; }
    /// In place.
    void complex(Complex* row) const {
        complex_(row, row);
        poll();
    }
    /// Half the spectrum of a row, n/2 + 1 elements, and the way back.
    void real(const Real* from, Complex* to) {
        real_.forward(from, to);
        poll();
    }
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
