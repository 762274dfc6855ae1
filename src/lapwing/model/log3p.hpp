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

/// log_3P of a message of `s` bytes of data that lie `d` bytes apart, from a measured table, by
/// `strided`; data side by side has no `l_mw`.
[[nodiscard]] inline Log3PTerms log3p(const Log3P& table, double s, double d) {
    return {at_size(table, table.o_mw, s), strided(table, table.l_mw, s, d, 0),
            at_size(table, table.o_net, s)};
}

/// The size at which the middleware overtakes the network (Cameron 4.1): the least from which on
/// `middleware` takes longer than `network` up to the last of `sizes`, in a straight line between
/// two of them. `sizes` in bytes and increasing, the others in seconds, one for each. The first
/// size where it does so from there on; none where the network takes longer at the last.
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

/// The log_3P sum over what was `measured` to a peer, in seconds: above 1 where packing overlaps
/// transmission, so that the message takes less than the sum of its parts. 1 where nothing was
/// measured.
[[nodiscard]] constexpr double ratio(const Log3PTerms& predicted, double measured) {
    return measured > 0 ? predicted.total() / measured : 1;
}

}  // namespace lapwing::model
