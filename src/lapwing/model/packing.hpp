#pragma once

#include <algorithm>

#include "lapwing/model/log3p.hpp"
#include "lapwing/profile/log3p.hpp"

namespace lapwing::model {

/// Two ways to send strided data, seconds for one message (Cameron 2007, section 4.3.2).
struct Packing {
    double derived = 0;  ///< the middleware packs: an MPI derived type
    double packed = 0;   ///< packed by hand, sent contiguously, unpacked by hand

    [[nodiscard]] constexpr bool pack() const { return packed < derived; }
};

/// The stride between single elements of the table that costs as much as blocks of `block` bytes,
/// `stride` bytes from one to the next. A block counts as several elements with a smaller stride.
[[nodiscard]] inline double element_stride(const Log3P& table, double block, double stride) {
    return std::max(1.0, stride / block) * static_cast<double>(table.element);
}

/// The measured times to a peer of `s` bytes of data that lie `d` bytes apart. Packing may overlap
/// transmission either way, so that neither time is the sum of its parts. Between measured sizes
/// and strides by `strided`.
[[nodiscard]] inline Packing packing(const Log3P& table, double s, double d) {
    const double contiguous = at_size(table, table.peer, s);
    return {.derived = strided(table, table.remote, s, d, contiguous),
            .packed = strided(table, table.packed, s, d, contiguous)};
}

/// The same for an isolated message, which two idle ranks begin at the same moment.
[[nodiscard]] inline Packing isolated_packing(const Log3P& table, double s, double d) {
    const double contiguous = at_size(table, table.isolated, s);
    return {.derived = strided(table, table.isolated_strided, s, d, contiguous),
            .packed = strided(table, table.isolated_packed, s, d, contiguous)};
}

/// The same by LogGP, which knows no stride. A derived type costs as much as a contiguous message.
/// Packing by hand comes on top, so it never pays.
[[nodiscard]] inline Packing packing_by_loggp(const Log3P& table, double s, double d) {
    const double contiguous = log3p(table, s, static_cast<double>(table.element)).total();
    return {.derived = contiguous,
            .packed = contiguous + 2 * strided(table, table.packing, s, d, 0)};
}

}  // namespace lapwing::model
