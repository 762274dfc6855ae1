#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lapwing/model/strided.hpp"
#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::model {

/// The three terms of log_3P for one message, seconds.
struct Log3PTerms {
    double o_mw = 0;   ///< middleware overhead, of both sides
    double l_mw = 0;   ///< middleware latency, of both sides
    double o_net = 0;  ///< network overhead

    /// `T(s, d) = o_mw(s) + l_mw(s, d) + o_net(s)` (equation 6).
    [[nodiscard]] constexpr double total() const { return o_mw + l_mw + o_net; }
};

/// The log_3P terms of a message of `s` bytes of data that lie `d` bytes apart, from a measured
/// table, by `strided`. Contiguous data has no `l_mw`.
[[nodiscard]] inline Log3PTerms log3p(const Log3P& table, double s, double d) {
    return {at_size(table, table.o_mw, s), strided(table, table.l_mw, s, d, 0),
            at_size(table, table.o_net, s)};
}

/// The size in bytes from which the middleware takes longer than the network (Cameron 4.1),
/// interpolated between two of `sizes`. `sizes` increases; `middleware` and `network` have a time
/// in seconds for each. It is the least size from which `middleware` is longer up to the last of
/// `sizes`. It is the first of them if it always is, and none if the network takes longer at the
/// last.
[[nodiscard]] inline std::optional<std::uint64_t> crossover(std::span<const std::uint64_t> sizes,
                                                            std::span<const double> middleware,
                                                            std::span<const double> network) {
    std::size_t first = sizes.size();
    while (first > 0 && middleware[first - 1] > network[first - 1]) --first;
    if (first == sizes.size()) return std::nullopt;
    if (first == 0) return sizes[0];
    const double before = network[first - 1] - middleware[first - 1];
    const double after = middleware[first] - network[first];
    const auto low = static_cast<double>(sizes[first - 1]);
    const auto high = static_cast<double>(sizes[first]);
    return static_cast<std::uint64_t>(low + (high - low) * before / (before + after));
}

/// The log_3P sum divided by the time `measured` to a peer (seconds): above 1 if packing overlaps
/// transmission. 1 if nothing was measured.
[[nodiscard]] constexpr double ratio(const Log3PTerms& predicted, double measured) {
    return measured > 0 ? predicted.total() / measured : 1;
}

}  // namespace lapwing::model
