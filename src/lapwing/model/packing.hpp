#pragma once

#include <algorithm>

#include "lapwing/model/log3p.hpp"
#include "lapwing/profile/log3p.hpp"

namespace lapwing::model {

/// Two ways to send strided data, seconds for one message (Cameron 2007, section 4.3.2).
struct Packing {
    double derived = 0;  ///< the middleware packs: an MPI derived type
    double packed = 0;   ///< packed by hand, sent side by side, unpacked by hand

    [[nodiscard]] constexpr bool pack() const { return packed < derived; }
};

/// How far apart the single elements of the table lie that cost what blocks of `block` bytes do,
/// `stride` bytes from one to the next: longer blocks are as many elements nearer by.
[[nodiscard]] inline double apart(const Log3P& table, double block, double stride) {
    return std::max(1.0, stride / block) * static_cast<double>(table.element);
}

/// What `s` bytes of data that lie `d` bytes apart take either way. A derived type takes what was
/// measured to a peer, where packing may overlap transmission; by hand nothing overlaps:
/// `o_mw + o_net + 2 packing`. Between measured sizes and strides by `strided`.
[[nodiscard]] inline Packing packing(const Log3P& table, double s, double d) {
    const auto side_by_side = log3p(table, s, static_cast<double>(table.element));
    const double contiguous = side_by_side.total();
    return {.derived = strided(table, table.remote, s, d, contiguous),
            .packed = contiguous + 2 * strided(table, table.packing, s, d, 0)};
}

/// The same as LogGP sees it, which knows no stride: the derived type costs a contiguous message,
/// and packing by hand comes on top of it, so that it never pays.
[[nodiscard]] inline Packing packing_by_loggp(const Log3P& table, double s, double d) {
    const double contiguous = log3p(table, s, static_cast<double>(table.element)).total();
    return {.derived = contiguous,
            .packed = contiguous + 2 * strided(table, table.packing, s, d, 0)};
}

}  // namespace lapwing::model
