#pragma once

#include <array>
#include <cstddef>

#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// The part of an array that one rank has.
struct Box {
    Size first{};  ///< index of the first element, along each axis
    Size count{};  ///< elements along each axis
    /// The axes in their order in memory. The last of them is contiguous.
    std::array<std::size_t, 3> order{0, 1, 2};

    [[nodiscard]] std::size_t elements() const { return count[0] * count[1] * count[2]; }
};

/// The part of an array that one rank has, if that is whole planes across one axis.
struct Planes {
    std::size_t axis = 0;   ///< 0 or 1
    std::size_t first = 0;  ///< index of the first plane along that axis
    std::size_t count = 0;
};

}  // namespace lapwing::fft
