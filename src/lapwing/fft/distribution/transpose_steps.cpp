#include "lapwing/fft/distribution/transpose_steps.hpp"

#include "lapwing/fft/distribution/block_distribution.hpp"

namespace lapwing::fft {
namespace {

/// The transposes of one rank.
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
        // Numbers become real again only in the very last lines.
        const bool real = array_.rows == RowTransform::real;
        const RowTransform early = real ? RowTransform::none : array_.rows;
        const RowTransform late = real ? array_.rows : RowTransform::none;
        if (options_.order == Order::natural) return natural(early, late, sign);
        if (!in_grid_) return {slabs(1, early, true, late, sign)};
        return {slabs(1, RowTransform::none, false, RowTransform::none, sign),
                columns_to_rows(true, array_.rows, sign)};
    }

  private:
    /// An axis distributed over the ranks of a column of the grid, or over those of a row.
    [[nodiscard]] BlockDistribution in_column(std::size_t axis) const {
        return {spectrum_[axis], grid_.rows};
    }
    [[nodiscard]] BlockDistribution in_row(std::size_t axis) const {
        return {spectrum_[axis], grid_.columns};
    }

    /// From planes across `axis` to planes across the other of the first two axes.
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
    /// Within the planes of a row of the grid: its ranks share axis `a` before, axis `b` after it.
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
    /// The transposes in natural order: rows are transformed before the first, or after the last.
    [[nodiscard]] std::vector<TransposeStep> natural(RowTransform early, RowTransform late,
                                                     Sign sign) const {
        if (!in_grid_)
            return {slabs(0, early, false, RowTransform::none, sign),
                    slabs(1, RowTransform::none, false, late, sign)};
        return {rows_to_columns(early, sign),
                slabs(0, RowTransform::none, false, RowTransform::none, sign),
                slabs(1, RowTransform::none, false, RowTransform::none, sign),
                columns_to_rows(false, late, sign)};
    }

    const DistributedArray& array_;
    Size spectrum_;
    const Grid& grid_;
    int rank_;
    const Options& options_;
    bool in_grid_;
};

}  // namespace

std::vector<TransposeStep> forward_steps(const DistributedArray& array, const Grid& grid, int rank,
                                         const Options& options) {
    return TransposeSteps(array, grid, rank, options).forward();
}

std::vector<TransposeStep> inverse_steps(const DistributedArray& array, const Grid& grid, int rank,
                                         const Options& options) {
    return TransposeSteps(array, grid, rank, options).inverse();
}

}  // namespace lapwing::fft
