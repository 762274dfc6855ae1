#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// A cost that is linear in the message size S: `base + per_byte * S` seconds.
struct LinearCost {
    double base = 0;      ///< seconds
    double per_byte = 0;  ///< seconds per byte
    [[nodiscard]] double operator()(double size) const { return base + per_byte * size; }
    LinearCost& operator*=(double factor) {
        base *= factor;
        per_byte *= factor;
        return *this;
    }
};

/// The value of a table at `size` bytes: linear between two entries, constant outside the table.
/// `sizes` increases and has one value each; an empty table gives 0.
double interpolate(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                   double size);

/// The same, but beyond the largest size it continues with the slope of the last two entries. The
/// slope is limited: the cost neither falls nor grows faster than the size.
double extrapolate(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                   double size);

/// A column of a table, and a value for one of its rows.
struct ColumnValue {
    std::vector<double>* column;
    double value;
};

/// Inserts a row into a table, in its place by size, or replaces the row of that size. `sizes`
/// increases; `cells` has one value for each column.
void insert_row(std::vector<std::uint64_t>& sizes, std::uint64_t size,
                const std::vector<ColumnValue>& cells);

/// The line through the entries up to `largest` bytes with the least squared relative error and
/// without negative coefficients. Constant if there are fewer than two such entries.
LinearCost fit_line(const std::vector<std::uint64_t>& sizes, const std::vector<double>& values,
                    double largest);

/// o_s(S, b) in seconds: interpolated in the size, for the nearest measured burst at or below
/// `burst`. `loggp.o_s` if there is no table.
double send_overhead(const LinkCosts& link, double size, int burst);

/// o_r(S) in seconds; `loggp.o_r` if there is no table.
double receive_overhead(const LinkCosts& link, double size);

/// G(S) in seconds per byte: the inverse of the unidirectional bandwidth at `size` bytes; `loggp.G`
/// if there is no table.
double gap_per_byte(const LinkCosts& link, double size);

/// G of long messages while both ranks of a pair send, seconds per byte each way; 0 if not
/// measured.
double two_way_gap(const LinkCosts& link);

/// Whether messages of `size` bytes that are in flight at once share the wire.
[[nodiscard]] bool shares_wire(const LinkCosts& link, std::uint64_t size);

/// Whether the wire limits a flood of messages of `size` bytes. Each then takes the wire, at `G`
/// seconds per byte, at least twice as long as the busier processor (`overhead`, seconds).
/// Processors limit shorter ones.
[[nodiscard]] constexpr bool is_wire_bound(double G, double size, double overhead) {
    return G * size >= 2 * overhead;
}

/// The log_3P tables of strided messages; null if they were not measured.
const Log3P* find_strided_costs(const Profile& profile);

/// The same. Throws `std::invalid_argument` if they were not measured.
const Log3P& strided_costs(const Profile& profile);

}  // namespace lapwing
