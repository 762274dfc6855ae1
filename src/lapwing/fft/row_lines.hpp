#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/fft/lines.hpp"
#include "lapwing/fft/real_line.hpp"
#include "lapwing/fft/rows.hpp"
#include "lapwing/fft/stage.hpp"
#include "lapwing/pipeline/poll.hpp"

namespace lapwing::fft {

/// Transforms rows, lines that are contiguous in memory, one at a time. Polls between
/// them.
template <class Real>
class RowLines {
  public:
    using Complex = std::complex<Real>;

    RowLines() = default;
    /// `length`: elements of a row; of real ones, real numbers. `sign` is for complex rows.
    RowLines(Rows rows, std::size_t length, Sign sign, Effort effort)
        : rows_(length == 0 ? Rows::none : rows) {
        if (rows_ == Rows::complex) {
            const bool aligned = length * sizeof(Complex) % Lines<Real>::alignment == 0;
            const LineShape line = {length, 1, 1, length};
            std::vector<Complex> scratch(length);
            complex_ = Stage<Real>(
                Lines<Real>(line, line, sign, effort, scratch.data(), scratch.data(), aligned));
        }
        if (rows_ == Rows::real) real_ = RealStage<Real>(RealLine<Real>(length, effort));
    }

    [[nodiscard]] Rows rows() const { return rows_; }
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
    Rows rows_ = Rows::none;
    Stage<Real> complex_;
    RealStage<Real> real_;
};

}  // namespace lapwing::fft
