#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/fft/blocks.hpp"
#include "lapwing/fft/effort.hpp"
#include "lapwing/fft/grid.hpp"
#include "lapwing/fft/message_count.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/fft/rows.hpp"

namespace lapwing::fft {

/// One turn of a transform, as one rank sees it, and which lines are transformed on either side.
struct Step {
    enum class Kind {
        planes,  ///< from planes across one of the first two axes to planes across the other
        split,   ///< within planes, from whole rows to whole columns
        join,    ///< and back
    };
    Kind kind = Kind::planes;
    Route route;
    int member = 0;             ///< this rank in the group of the route
    Sign sign = Sign::forward;  ///< of complex lines
    Rows before = Rows::none;   ///< rows, before the turn
    bool columns = false;       ///< lines along the axis that is about to be dealt, before the turn
    bool last = false;          ///< lines along the axis that was dealt, after it
    Rows after = Rows::none;    ///< rows, after it
    std::size_t row = 0;        ///< elements of a whole row; of a real one, real numbers
};

/// What is transformed: an array of `size` complex elements or, where `rows` is `real`, of real
/// numbers, of whose spectrum there is half along the last axis.
struct Dealt {
    Size size{};
    Rows rows = Rows::complex;
    std::size_t element = 16;  ///< bytes of a complex one

    /// Elements of the spectrum along each axis: what is dealt to ranks.
    [[nodiscard]] Size spectrum() const {
        return {size[0], size[1], rows == Rows::real ? size[2] / 2 + 1 : size[2]};
    }
};

/// The turns that one rank takes there and back.
///
/// Planes turn once: rows and columns are transformed, planes across the first axis become planes
/// across the second, and lines along the first are transformed. In a grid the rows are split among
/// the ranks of its row before that, and columns are whole then. Natural order is the way back,
/// with nothing left to transform but what was left for it.
class Steps {
  public:
    Steps(const Dealt& dealt, const Grid& grid, int rank, const Options& options)
        : dealt_(dealt),
          spectrum_(dealt.spectrum()),
          grid_(grid),
          rank_(rank),
          options_(options),
          split_(grid.columns > 1) {}

    [[nodiscard]] std::vector<Step> forward() const {
        constexpr Sign sign = Sign::forward;
        const Rows rows = dealt_.rows;
        if (options_.order == Order::natural) return natural(rows, Rows::none, sign);
        if (!split_) return {turn(0, rows, true, Rows::none, sign)};
        return {split(rows, sign), turn(0, Rows::none, true, Rows::none, sign)};
    }
    [[nodiscard]] std::vector<Step> inverse() const {
        constexpr Sign sign = Sign::inverse;
        // Numbers are real only when everything else is done.
        const bool late = dealt_.rows == Rows::real;
        const Rows early = late ? Rows::none : dealt_.rows;
        const Rows left = late ? dealt_.rows : Rows::none;
        if (options_.order == Order::natural) return natural(early, left, sign);
        if (!split_) return {turn(1, early, true, left, sign)};
        return {turn(1, Rows::none, false, Rows::none, sign), join(true, dealt_.rows, sign)};
    }

  private:
    /// An axis dealt to the ranks of a column of the grid, or of a row.
    [[nodiscard]] Blocks in_column(std::size_t axis) const { return {spectrum_[axis], grid_.rows}; }
    [[nodiscard]] Blocks in_row(std::size_t axis) const { return {spectrum_[axis], grid_.columns}; }

    /// From planes across `axis` to planes across the other of the first two.
    [[nodiscard]] Step turn(std::size_t axis, Rows before, bool last, Rows after, Sign sign) const {
        const std::size_t row_bytes = in_row(2).count(grid_.column(rank_)) * dealt_.element;
        return {.kind = Step::Kind::planes,
                .route = Route(options_.schedule, in_column(axis), in_column(1 - axis), row_bytes,
                               grid_.column_of(rank_), options_.strips),
                .member = grid_.row(rank_),
                .sign = sign,
                .before = before,
                .columns = true,
                .last = last,
                .after = after,
                .row = dealt_.size[2]};
    }
    /// Within the planes of a row of the grid, from `a` dealt to its ranks to `b` dealt to them.
    [[nodiscard]] Route within_planes(std::size_t a, std::size_t b) const {
        return Route::within(in_column(0).count(grid_.row(rank_)), options_.schedule, in_row(a),
                             in_row(b), dealt_.element, grid_.row_of(rank_));
    }
    [[nodiscard]] Step split(Rows rows, Sign sign) const {
        return {.kind = Step::Kind::split,
                .route = within_planes(1, 2),
                .member = grid_.column(rank_),
                .sign = sign,
                .before = rows,
                .row = dealt_.size[2]};
    }
    [[nodiscard]] Step join(bool columns, Rows rows, Sign sign) const {
        return {.kind = Step::Kind::join,
                .route = within_planes(2, 1),
                .member = grid_.column(rank_),
                .sign = sign,
                .columns = columns,
                .after = rows,
                .row = dealt_.size[2]};
    }
    /// There in natural order: rows first, where they are transformed at all, and what is `left` of
    /// them at the end.
    [[nodiscard]] std::vector<Step> natural(Rows rows, Rows left, Sign sign) const {
        if (!split_)
            return {turn(0, rows, false, Rows::none, sign), turn(1, Rows::none, false, left, sign)};
        return {split(rows, sign), turn(0, Rows::none, false, Rows::none, sign),
                turn(1, Rows::none, false, Rows::none, sign), join(false, left, sign)};
    }

    Dealt dealt_;
    Size spectrum_;
    Grid grid_;
    int rank_;
    Options options_;
    bool split_;
};

/// Messages that one rank sends in these turns to those members of each turn's group for which
/// `which(member, target)` says so.
template <class Which>
[[nodiscard]] std::uint64_t message_count(const std::vector<Step>& steps, const Options& options,
                                          Which&& which) {
    std::uint64_t all = 0;
    for (const Step& step : steps)
        for (int target = 0; target < step.route.ranks(); ++target)
            if (which(step.member, target))
                all += message_count(step.route, step.member, target, options);
    return all * options.batch;
}

}  // namespace lapwing::fft
