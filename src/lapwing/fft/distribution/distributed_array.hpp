#pragma once

#include <cstddef>

#include "lapwing/fft/lines/row_transform.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// The array that is transformed, all ranks together: `size` complex elements or, if `rows` is
/// `real`, real numbers, which have half a spectrum along the last axis.
struct DistributedArray {
    Size size{};
    RowTransform rows = RowTransform::complex;
    std::size_t element = 16;  ///< bytes of a complex element

    /// Elements of the spectrum along each axis. These are what is distributed over ranks.
    [[nodiscard]] Size spectrum() const {
        return {size[0], size[1], rows == RowTransform::real ? size[2] / 2 + 1 : size[2]};
    }
};

}  // namespace lapwing::fft
