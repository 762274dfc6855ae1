#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/fft/columns.hpp"
#include "lapwing/fft/lines.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/fft/stage.hpp"

namespace lapwing::fft {

/// What is computed on either side of one turn from planes across axis `a` to planes across axis
/// `b`, on one rank.
///
/// Before it: in each of the rank's planes, [b][row], the lines along `b` (columns), then those
/// along the third axis (rows). After it: lines along `a`, from the buffer in which rows arrive to
/// planes [a][row], which puts them in their order on the way.
template <class Real>
class Half {
  public:
    using Complex = std::complex<Real>;

    /// `rows`, `last`: whether those lines are transformed at all.
    Half(const Route& route, int rank, bool rows, bool last, Sign sign, Effort effort)
        : route_(route), rank_(rank), row_(route.row() / sizeof(Complex)) {
        if (simulated_time) effort = Effort::estimate;
        columns_ = Columns<Real>(route.b().length(), row_, sign, effort);
        if (last) last_.emplace(route.a().length(), row_, sign, effort);
        if (rows) {
            const bool aligned = route.row() % Lines<Real>::alignment == 0;
            const LineShape line = {row_, 1, 1, row_};
            std::vector<Complex> scratch(row_);
            rows_.emplace(
                Lines<Real>(line, line, sign, effort, scratch.data(), scratch.data(), aligned));
        }
    }

    /// How many planes this rank has before the turn, and after it.
    [[nodiscard]] std::size_t planes() const { return route_.a().count(rank_); }
    [[nodiscard]] std::size_t arrived() const { return route_.b().count(rank_); }
    [[nodiscard]] const Route& route() const { return route_; }
    [[nodiscard]] int rank() const { return rank_; }
    /// Elements of a row.
    [[nodiscard]] std::size_t row_length() const { return row_; }

    /// Row `index` of plane `plane`, of the planes at `first`.
    [[nodiscard]] Complex* row(Complex* first, std::size_t plane, std::size_t index) const {
        return first + (plane * route_.b().length() + index) * row_;
    }
    /// Transforms the columns of a plane, of the planes at `in`, to its place at `out`.
    void columns(std::size_t plane, const Complex* in, Complex* out) {
        const std::size_t offset = plane * route_.b().length() * row_;
        columns_(in + offset, row_, out + offset, row_);
    }
    /// Transforms `count` rows of a plane from row `first` on, of the planes at `data`.
    void rows(std::size_t plane, std::size_t first, std::size_t count, Complex* data) const {
        if (!rows_) return;
        for (std::size_t i = first; i < first + count; ++i) {
            Complex* const place = row(data, plane, i);
            (*rows_)(place, place);
        }
    }
    /// Copies rows to where they are sent from, or to where they stay.
    void copy(const Complex* from, void* to, std::size_t rows) const {
        copy_(to, from, rows * route_.row());
    }
    /// Transforms the lines along `a` of all that has arrived at `buffer`, into planes at `out`.
    void last(const Complex* buffer, Complex* out) {
        const std::size_t length = route_.a().length();
        // Of two rows of one plane, and of two planes, in the order in which rows arrive.
        const bool in_order = route_.schedule() == Schedule::pencils;
        const std::size_t row_stride = in_order ? row_ : arrived() * row_;
        const std::size_t plane_stride = in_order ? length * row_ : row_;
        for (std::size_t plane = 0; plane < arrived(); ++plane) {
            const Complex* const from = buffer + plane * plane_stride;
            Complex* const to = out + plane * length * row_;
            if (last_) {
                (*last_)(from, row_stride, to, row_);
            } else {
                for (std::size_t i = 0; i < length; ++i)
                    copy(from + i * row_stride, to + i * row_, 1);
            }
        }
    }

  private:
    Route route_;
    int rank_;
    std::size_t row_;  ///< elements
    Columns<Real> columns_;
    std::optional<Stage<Real>> rows_;
    std::optional<Columns<Real>> last_;
    MemoryCopy copy_;
};

}  // namespace lapwing::fft
