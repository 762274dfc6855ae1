#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/lines/columns.hpp"
#include "lapwing/fft/lines/row_lines.hpp"
#include "lapwing/fft/transpose/transpose.hpp"

namespace lapwing::fft {

/// From whole columns to whole rows: each plane across the first axis, [n1][local n2], becomes
/// [local n1][n2]. Columns are transformed before the transpose, rows after it.
template <class Real>
class ColumnToRowTranspose : public Transpose<Real> {
  public:
    using Complex = std::complex<Real>;

    ColumnToRowTranspose(const TransposeStep& step, Effort effort)
        : Transpose<Real>(step.route, step.member),
          width_(step.route.a().count(step.member)),
          transforms_columns_(step.columns),
          rows_(step.after, step.row, step.sign, effort),
          row_(step.after == RowTransform::real ? step.route.a().length() : 0) {
        if (step.columns)
            columns_ = Columns<Real>(step.route.b().length(), width_, step.sign, effort);
    }

    [[nodiscard]] std::size_t planes_after() const override { return this->planes(); }
    void after(Complex* buffer, Complex* out, std::size_t first, std::size_t end) override {
        const std::size_t count = this->route().b().count(this->member());
        const std::size_t length = this->route().a().length();
        for (std::size_t plane = first; plane < end; ++plane)
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t index = plane * count + i;
                if (rows_.rows() == RowTransform::real) {
                    join(plane, i, buffer, row_.data());
                    rows_.real(row_.data(),
                               reinterpret_cast<Real*>(out) + index * this->real_row_distance());
                } else {
                    Complex* const row = out + index * length;
                    join(plane, i, buffer, row);
                    if (rows_.rows() == RowTransform::complex) rows_.complex(row);
                }
            }
    }

  protected:
    void take(std::size_t plane, const Complex* in, Complex* to) override {
        const Complex* const from = in + plane * this->plane_length();
        if (transforms_columns_) {
            columns_(from, width_, to, width_);
        } else if (from != to) {
            this->copy(from, to, this->plane_length());
        }
    }

  private:
    /// Puts row `i` of a plane together from what each rank has sent of it.
    void join(std::size_t plane, std::size_t i, const Complex* buffer, Complex* row) const {
        const Route& route = this->route();
        for (int source = 0; source < route.ranks(); ++source) {
            const std::size_t width = route.a().count(source);
            const std::size_t place = route.place(source, this->member(), plane);
            this->copy(buffer + place / sizeof(Complex) + i * width, row + route.a().first(source),
                       width);
        }
    }

    std::size_t width_;  ///< elements of a row before the transpose
    bool transforms_columns_;
    Columns<Real> columns_;
    RowLines<Real> rows_;
    std::vector<Complex> row_;
};

}  // namespace lapwing::fft
