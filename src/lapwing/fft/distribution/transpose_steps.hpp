#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/fft/distribution/block_distribution.hpp"
#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/message_count.hpp"
#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/lines/effort.hpp"
#include "lapwing/fft/lines/row_transform.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// One turn of a transform, as one rank sees it, and which lines are transformed on either side.
struct TransposeStep {
    enum class Kind {
        slabs,  ///< from planes across one of the first two axes to planes across the other
        rows_to_columns,  ///< within planes, from whole rows to whole columns
        columns_to_rows,  ///< and back
    };
    Kind kind = Kind::slabs;
    Route route;
    int member = 0;                            ///< this rank in the group of the route
    Sign sign = Sign::forward;                 ///< of complex lines
    RowTransform before = RowTransform::none;  ///< rows, before the transpose
    bool columns = false;  ///< lines along the axis that is about to be dealt, before the transpose
    bool last = false;     ///< lines along the axis that was dealt, after it
    RowTransform after = RowTransform::none;  ///< rows, after it
    std::size_t row = 0;  ///< elements of a whole row; of a real one, real numbers
};

/// What is transformed: an array of `size` complex elements or, where `rows` is `real`, of real
/// numbers, of whose spectrum there is half along the last axis.
struct DistributedArray {
    Size size{};
    RowTransform rows = RowTransform::complex;
    std::size_t element = 16;  ///< bytes of a complex one

    /// Elements of the spectrum along each axis: what is dealt to ranks.
    [[nodiscard]] Size spectrum() const {
        return {size[0], size[1], rows == RowTransform::real ? size[2] / 2 + 1 : size[2]};
    }
};

/// The transposes that one rank takes there and back.
///
/// Planes turn once: rows and columns are transformed, planes across the first axis become planes
/// across the second, and lines along the first are transformed. In a grid the rows are split among
/// the ranks of its row before that, and columns are whole then. Natural order is the way back,
/// with nothing left to transform but what was left for it.
class TransposeSteps {
  public:
    TransposeSteps(const DistributedArray& array, const Grid& grid, int rank,
                   const Options& options)
        : array_(array),
          spectrum_(array.spectrum()),
          grid_(grid),
          rank_(rank),
          options_(options),
          in_grid_(grid.columns > 1) {}

    [[nodiscard]] std::vector<TransposeStep> forward() const {
        constexpr Sign sign = Sign::forward;
        const RowTransform rows = array_.rows;
        if (options_.order == Order::natural) return natural(rows, RowTransform::none, sign);
        if (!in_grid_) return {slabs(0, rows, true, RowTransform::none, sign)};
        return {rows_to_columns(rows, sign),
                slabs(0, RowTransform::none, true, RowTransform::none, sign)};
    }
    [[nodiscard]] std::vector<TransposeStep> inverse() const {
        constexpr Sign sign = Sign::inverse;
        // Numbers are real only when everything else is done.
        const bool late = array_.rows == RowTransform::real;
        const RowTransform early = late ? RowTransform::none : array_.rows;
        const RowTransform left = late ? array_.rows : RowTransform::none;
        if (options_.order == Order::natural) return natural(early, left, sign);
        if (!in_grid_) return {slabs(1, early, true, left, sign)};
        return {slabs(1, RowTransform::none, false, RowTransform::none, sign),
                columns_to_rows(true, array_.rows, sign)};
    }

  private:
    /// An axis dealt to the ranks of a column of the grid, or of a row.
    [[nodiscard]] BlockDistribution in_column(std::size_t axis) const {
        return {spectrum_[axis], grid_.rows};
    }
    [[nodiscard]] BlockDistribution in_row(std::size_t axis) const {
        return {spectrum_[axis], grid_.columns};
    }

    /// From planes across `axis` to planes across the other of the first two.
    [[nodiscard]] TransposeStep slabs(std::size_t axis, RowTransform before, bool last,
                                      RowTransform after, Sign sign) const {
        const std::size_t row_bytes = in_row(2).count(grid_.column(rank_)) * array_.element;
        return {.kind = TransposeStep::Kind::slabs,
                .route = Route(options_.schedule, in_column(axis), in_column(1 - axis), row_bytes,
                               grid_.column_of(rank_), options_.strips),
                .member = grid_.row(rank_),
                .sign = sign,
                .before = before,
                .columns = true,
                .last = last,
                .after = after,
                .row = array_.size[2]};
    }
    /// Within the planes of a row of the grid, from `a` dealt to its ranks to `b` dealt to them.
    [[nodiscard]] Route within_planes(std::size_t a, std::size_t b) const {
        return Route::within(in_column(0).count(grid_.row(rank_)), options_.schedule, in_row(a),
                             in_row(b), array_.element, grid_.row_of(rank_));
    }
    [[nodiscard]] TransposeStep rows_to_columns(RowTransform rows, Sign sign) const {
        return {.kind = TransposeStep::Kind::rows_to_columns,
                .route = within_planes(1, 2),
                .member = grid_.column(rank_),
                .sign = sign,
                .before = rows,
                .row = array_.size[2]};
    }
    [[nodiscard]] TransposeStep columns_to_rows(bool columns, RowTransform rows, Sign sign) const {
        return {.kind = TransposeStep::Kind::columns_to_rows,
                .route = within_planes(2, 1),
                .member = grid_.column(rank_),
                .sign = sign,
                .columns = columns,
                .after = rows,
                .row = array_.size[2]};
    }
    /// There in natural order: rows first, where they are transformed at all, and what is `left` of
    /// them at the end.
    [[nodiscard]] std::vector<TransposeStep> natural(RowTransform rows, RowTransform left,
                                                     Sign sign) const {
        if (!in_grid_)
            return {slabs(0, rows, false, RowTransform::none, sign),
                    slabs(1, RowTransform::none, false, left, sign)};
        return {rows_to_columns(rows, sign),
                slabs(0, RowTransform::none, false, RowTransform::none, sign),
                slabs(1, RowTransform::none, false, RowTransform::none, sign),
                columns_to_rows(false, left, sign)};
    }

    DistributedArray array_;
    Size spectrum_;
    Grid grid_;
    int rank_;
    Options options_;
    bool in_grid_;
};

/// Messages that one rank sends in these transposes to those members of each transpose's group for
/// which `which(member, target)` says so.
template <class Which>
[[nodiscard]] std::uint64_t message_count(const std::vector<TransposeStep>& steps,
                                          const Options& options, Which&& which) {
    std::uint64_t all = 0;
    for (const TransposeStep& step : steps)
        for (int target = 0; target < step.route.ranks(); ++target)
            if (which(step.member, target))
                all += message_count(step.route, step.member, target, options);
    return all * options.batch;
}

}  // namespace lapwing::fft
