#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "lapwing/compute/memory_copy.hpp"
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

    /// `rows`, `last`: whether those lines are transformed at all. `buffer`: where rows arrive; it
    /// is used to plan.
    Half(const Route& route, int rank, bool rows, bool last, Sign sign, Effort effort,
         Complex* buffer)
        : route_(route), rank_(rank), row_(route.row() / sizeof(Complex)) {
        if (simulated_time) effort = Effort::estimate;
        const bool aligned = route.row() % Lines<Real>::alignment == 0;
        std::vector<Complex> scratch(row_ * std::max(route.a().length(), route.b().length()));
        const auto plan = [&](const LineShape& from, const LineShape& to, Complex* in,
                              Complex* out) {
            return Stage<Real>(Lines<Real>(from, to, sign, effort, in, out, aligned));
        };
        if (planes() > 0) {
            const LineShape column = {route.b().length(), row_, row_, 1};
            const LineShape line = {row_, 1, 1, row_};
            columns_apart_ = plan(column, column, scratch.data(), buffer);
            if (route.schedule() != Schedule::exchange)
                columns_ = plan(column, column, scratch.data(), scratch.data());
            if (rows) rows_.emplace(plan(line, line, scratch.data(), scratch.data()));
        }
        if (last && arrived() > 0) {
            const LineShape to = {route.a().length(), row_, row_, 1};
            LineShape from = to;
            if (!in_order()) from.stride = arrived() * row_;
            last_.emplace(plan(from, to, buffer, scratch.data()));
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
    void columns(std::size_t plane, const Complex* in, Complex* out) const {
        const std::size_t offset = plane * route_.b().length() * row_;
        (in == out ? columns_ : columns_apart_)(in + offset, out + offset);
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
    void last(const Complex* buffer, Complex* out) const {
        const std::size_t length = route_.a().length();
        if (!last_ && in_order()) {
            copy(buffer, out, length * arrived());
            return;
        }
        for (std::size_t plane = 0; plane < arrived(); ++plane) {
            Complex* const to = out + plane * length * row_;
            if (last_) {
                (*last_)(buffer + plane * row_ * (in_order() ? length : 1), to);
            } else {
                for (std::size_t i = 0; i < length; ++i)
                    copy(buffer + (i * arrived() + plane) * row_, to + i * row_, 1);
            }
        }
    }

  private:
    /// Whether rows arrive in the order that is wanted in the end.
    [[nodiscard]] bool in_order() const { return route_.schedule() == Schedule::pencils; }

    Route route_;
    int rank_;
    std::size_t row_;  ///< elements
    Stage<Real> columns_;
    Stage<Real> columns_apart_;  ///< to another place
    std::optional<Stage<Real>> rows_;
    std::optional<Stage<Real>> last_;
    MemoryCopy copy_;
};

}  // namespace lapwing::fft
