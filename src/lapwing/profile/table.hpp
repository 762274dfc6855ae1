#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// A cost that is a straight line in the message size: `base + per_byte * S` seconds.
struct LinearCost {
    double base = 0;      ///< seconds
    double per_byte = 0;  ///< seconds per byte
    [[nodiscard]] double operator()(double size) const { return base + per_byte * size; }
};

/// Value of a table at `size` bytes: linear between two entries, constant outside the table.
/// `sizes` increasing, one value each; an empty table gives 0.
double interpolate(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                   double size);

/// The same of a cost that beyond the largest size goes on as between the last two entries: it
/// does not fall, and does not grow faster than the size.
double extrapolate(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                   double size);

/// A column of a table, and the value that one entry has in it.
struct ColumnValue {
    std::vector<double>* column;
    double value;
};

/// Puts what `size` has into the columns of a table, in its place by size, or instead of what is
/// there for it. `sizes` increasing, one value each in every column; `cells` one of each column.
void insert_row(std::vector<std::uint64_t>& sizes, std::uint64_t size,
                const std::vector<ColumnValue>& cells);

/// The straight line through a table up to `largest` bytes that is nearest in relative error, with
/// neither coefficient negative. One entry, or none below `largest`, gives a constant.
LinearCost fit_line(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                    double largest);

/// o_s(S, b) in seconds: linear in the size, in the burst that of the nearest burst measured at or
/// below `burst`. Falls back on `loggp.o_s` where the profile has no table.
double send_overhead(const LinkCosts& link, double size, int burst);

/// o_r(S) in seconds; falls back on `loggp.o_r`.
double receive_overhead(const LinkCosts& link, double size);

/// G(S) in seconds per byte: the inverse of the unidirectional bandwidth at `size` bytes; falls
/// back on `loggp.G`.
double gap_per_byte(const LinkCosts& link, double size);

/// G of long messages where both of a pair send at once, seconds per byte each way; 0 where that
/// was not measured.
double two_way_gap(const LinkCosts& link);

/// Whether messages of `size` bytes that are under way at once share the wire.
[[nodiscard]] bool shares_wire(const LinkCosts& link, std::uint64_t size);

/// Whether a flood of messages of `size` bytes goes by the wire's pace: each keeps the wire, at `G`
/// seconds a byte, twice as long as the busier of the processors, `overhead` seconds. Shorter ones
/// are paced by the processors.
[[nodiscard]] constexpr bool is_wire_bound(double G, double size, double overhead) {
    return G * size >= 2 * overhead;
}

/// What strided messages cost; null if the profile does not say.
const Log3P* find_strided_costs(const Profile& profile);

/// The same. Throws `std::invalid_argument` if the profile does not say.
const Log3P& strided_costs(const Profile& profile);

}  // namespace lapwing
