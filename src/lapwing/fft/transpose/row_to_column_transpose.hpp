#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>

#include "lapwing/compute/no_data.hpp"
#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/lines/row_lines.hpp"
#include "lapwing/fft/transpose/transpose.hpp"

namespace lapwing::fft {

/// From whole rows to whole columns: each plane across the first axis, [local n1][n2], becomes
/// [n1][local n2]. Rows are transformed before the transpose.
template <class Real>
class RowToColumnTranspose : public Transpose<Real> {
  public:
    using Complex = std::complex<Real>;

    RowToColumnTranspose(const TransposeStep& step, Effort effort)
        : Transpose<Real>(step.route, step.member),
          rows_(step.before, step.row, step.sign, effort),
          plane_(this->plane_length()) {}

    [[nodiscard]] std::size_t planes_after() const override { return this->planes(); }
    void after(Complex* buffer, Complex* out, std::size_t first, std::size_t end) override {
        const Route& route = this->route();
        const std::size_t width = route.b().count(this->member());
        for (std::size_t plane = first; plane < end; ++plane)
            for (int source = 0; source < route.ranks(); ++source) {
                const std::size_t place = route.place(source, this->member(), plane);
                this->copy(buffer + place / sizeof(Complex),
                           out + (plane * route.a().length() + route.a().first(source)) * width,
                           route.a().count(source) * width);
            }
    }

  protected:
    void take(std::size_t plane, const Complex* in, Complex* to) override {
        const Route& route = this->route();
        const std::size_t count = route.a().count(this->member());
        const std::size_t length = route.b().length();
        const Complex* const from = in + plane * this->plane_length();
        const Real* const numbers =
            reinterpret_cast<const Real*>(in) + plane * count * this->real_row_distance();
        for (std::size_t i = 0; i < count; ++i) {
            Complex* const row = plane_.data() + i * length;
            if (rows_.rows() == RowTransform::real) {
                rows_.real(numbers + i * this->real_row_distance(), row);
            } else {
                if (!no_data()) std::copy_n(from + i * length, length, row);
                if (rows_.rows() == RowTransform::complex) rows_.complex(row);
            }
        }
        for (int target = 0; target < route.ranks(); ++target) {
            const std::size_t width = route.b().count(target);
            Complex* const part = to + this->part_begin(target);
            for (std::size_t i = 0; i < count; ++i)
                this->copy(plane_.data() + i * length + route.b().first(target), part + i * width,
                           width);
        }
    }

  private:
    RowLines<Real> rows_;
    Storage<Complex> plane_;  ///< a plane of whole rows
};

}  // namespace lapwing::fft
