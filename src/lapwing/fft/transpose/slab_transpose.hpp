#pragma once

#include <complex>
#include <cstddef>

#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/lines/columns.hpp"
#include "lapwing/fft/lines/row_lines.hpp"
#include "lapwing/fft/transpose/transpose.hpp"

namespace lapwing::fft {

/// From planes across axis `a` to planes across axis `b`, both among the first two axes.
///
/// Before the transpose, each plane, [b][row], has its lines along `b` (columns) transformed, then
/// those along the third axis (rows); real rows come first. After it, lines along `a` are
/// transformed from the buffer to planes [a][row], which restores the order of the rows; then rows,
/// if they become real numbers.
template <class Real>
class SlabTranspose : public Transpose<Real> {
  public:
    using Complex = std::complex<Real>;

    SlabTranspose(const TransposeStep& step, Effort effort)
        : Transpose<Real>(step.route, step.member),
          row_(step.route.row() / sizeof(Complex)),
          transforms_last_(step.last),
          columns_(step.route.b().length(), row_, step.sign, effort),
          rows_(step.before, step.row, step.sign, effort),
          results_(step.after, step.row, step.sign, effort) {
        if (step.last) last_ = Columns<Real>(step.route.a().length(), row_, step.sign, effort);
    }

    void piece(int target, std::size_t plane, std::size_t index, Complex* to) override {
        if (rows_.rows() != RowTransform::complex) return;
        Complex* const part = to + this->part_begin(target);
        Complex* const end = part + this->piece_begin(target, plane, index + 1);
        for (Complex* row = part + this->piece_begin(target, plane, index); row != end; row += row_)
            rows_.complex(row);
    }
    [[nodiscard]] std::size_t planes_after() const override {
        return this->route().b().count(this->member());
    }
    void after(Complex* buffer, Complex* out, std::size_t first, std::size_t end) override {
        const Route& route = this->route();
        const std::size_t length = route.a().length();
        const std::size_t arrived = planes_after();
        // Elements between rows of a plane, and between planes, in the order in which rows arrive.
        const bool in_order = route.schedule() == Schedule::pencils;
        const std::size_t row_stride = in_order ? row_ : arrived * row_;
        const std::size_t plane_stride = in_order ? length * row_ : row_;
        for (std::size_t plane = first; plane < end; ++plane) {
            Complex* const from = buffer + plane * plane_stride;
            if (results_.rows() == RowTransform::real) {
                if (transforms_last_) last_(from, row_stride, from, row_stride);
                Real* const to =
                    reinterpret_cast<Real*>(out) + plane * length * this->real_row_distance();
                for (std::size_t i = 0; i < length; ++i)
                    results_.real(from + i * row_stride, to + i * this->real_row_distance());
                continue;
            }
            Complex* const to = out + plane * length * row_;
            if (transforms_last_) {
                last_(from, row_stride, to, row_);
            } else {
                for (std::size_t i = 0; i < length; ++i)
                    this->copy(from + i * row_stride, to + i * row_, row_);
            }
        }
    }

  protected:
    void take(std::size_t plane, const Complex* in, Complex* to) override {
        if (rows_.rows() != RowTransform::real) {
            columns_(in + plane * this->plane_length(), row_, to, row_);
            return;
        }
        const std::size_t rows = this->route().b().length();
        const Real* const from =
            reinterpret_cast<const Real*>(in) + plane * rows * this->real_row_distance();
        for (std::size_t i = 0; i < rows; ++i)
            rows_.real(from + i * this->real_row_distance(), to + i * row_);
        columns_(to, row_, to, row_);
    }

  private:
    std::size_t row_;  ///< elements
    bool transforms_last_;
    Columns<Real> columns_;
    RowLines<Real> rows_;
    RowLines<Real> results_;
    Columns<Real> last_;
};

}  // namespace lapwing::fft
