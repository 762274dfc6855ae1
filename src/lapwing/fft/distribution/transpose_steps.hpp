#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/fft/distribution/distributed_array.hpp"
#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/lines/effort.hpp"
#include "lapwing/fft/lines/row_transform.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// One transpose of a transform, as one rank sees it, and the lines that are transformed before and
/// after it.
struct TransposeStep {
    enum class Kind {
        slabs,  ///< from planes across one of the first two axes to planes across the other
        rows_to_columns,  ///< within planes, from whole rows to whole columns
        columns_to_rows,  ///< the way back
    };
    Kind kind = Kind::slabs;
    Route route;
    int member = 0;                            ///< this rank's number in the group of the route
    Sign sign = Sign::forward;                 ///< of complex lines
    RowTransform before = RowTransform::none;  ///< of rows, before the transpose
    /// Whether lines along the axis that is about to be distributed are transformed before it.
    bool columns = false;
    /// Whether lines along the axis that was distributed are transformed after it.
    bool last = false;
    RowTransform after = RowTransform::none;  ///< of rows, after the transpose
    std::size_t row = 0;  ///< elements of a whole row; of a real row, its real numbers
};

/// The transposes of `rank` in a forward transform.
///
/// With planes there is one. It transforms rows and columns, turns planes across the first axis
/// into planes across the second, and transforms lines along the first axis. In a grid, another
/// transpose among the ranks of a row of the grid comes first: it distributes the rows and makes
/// columns whole. Natural order appends the same transposes backwards; lines that are not yet
/// transformed are transformed there.
[[nodiscard]] std::vector<TransposeStep> forward_steps(const DistributedArray& array,
                                                       const Grid& grid, int rank,
                                                       const Options& options);

/// The transposes of `rank` in an inverse transform.
[[nodiscard]] std::vector<TransposeStep> inverse_steps(const DistributedArray& array,
                                                       const Grid& grid, int rank,
                                                       const Options& options);

}  // namespace lapwing::fft
