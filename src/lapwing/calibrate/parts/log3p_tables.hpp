#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/calibrate/parts/log3p.hpp"
#include "lapwing/profile/log3p.hpp"

namespace lapwing {

/// One time that `measure_log3p` measures.
struct Log3PCell {
    enum class Quantity {
        copy,                 ///< a copy in memory
        self,                 ///< a message to oneself
        peer,                 ///< half a round trip to the peer
        isolated_peer,        ///< a broadcast that begins after a rest
        packing,              ///< packing by hand, and unpacking: the mean
        packed_peer,          ///< half a round trip, packed and unpacked by hand
        isolated_packed_peer  ///< a broadcast after a rest, packed and unpacked by hand
    };

    Quantity quantity = Quantity::copy;
    std::size_t size = 0;  ///< its place in `Log3POptions::sizes`
    std::optional<std::size_t>
        stride;           ///< its place in `Log3POptions::strides`; none: side by side
    int repetitions = 1;  ///< operations of one sample

    /// Whether the peer takes part.
    [[nodiscard]] bool has_peer() const;
    /// Whether each operation begins after a rest.
    [[nodiscard]] bool is_isolated() const;
};

/// Bytes that the elements of a message are spread over. `size` and `stride`: places in the
/// options.
std::uint64_t spread(const Log3POptions& options, std::size_t size, std::size_t stride);

/// The tables of the model. `times`: seconds of each of `cells`. Appends to `interpolated` the
/// entries that were not measured.
Log3P log3p_tables(const Log3POptions& options, const std::vector<Log3PCell>& cells,
                   const std::vector<double>& times, std::vector<std::string>& interpolated);

}  // namespace lapwing
