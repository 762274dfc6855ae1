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

/// What `s` bytes of data that lie `d` bytes apart take either way, as it was measured to a peer:
/// packing may overlap transmission, by whoever it is done, so that neither is the sum of its
/// parts. Between measured sizes and strides by `strided`.
[[nodiscard]] inline Packing packing(const Log3P& table, double s, double d) {
    const double contiguous = at_size(table, table.peer, s);
    return {.derived = strided(table, table.remote, s, d, contiguous),
            .packed = strided(table, table.packed, s, d, contiguous)};
}

/// The same of a message that both sides begin at one moment after a rest.
[[nodiscard]] inline Packing isolated_packing(const Log3P& table, double s, double d) {
    const double contiguous = at_size(table, table.isolated, s);
    return {.derived = strided(table, table.isolated_strided, s, d, contiguous),
            .packed = strided(table, table.isolated_packed, s, d, contiguous)};
}

/// A message as LogGP sees it, which knows no stride: the derived type costs a contiguous message,
/// and packing by hand comes on top of it, so that it never pays.
[[nodiscard]] inline Packing packing_by_loggp(const Log3P& table, double s, double d) {
    const double contiguous = log3p(table, s, static_cast<double>(table.element)).total();
    return {.derived = contiguous,
            .packed = contiguous + 2 * strided(table, table.packing, s, d, 0)};
}

}  // namespace lapwing::model
