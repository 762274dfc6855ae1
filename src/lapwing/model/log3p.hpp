#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::model {

/// What one implicit transfer takes, seconds (Cameron, Ge, Sun 2007, section 2).
struct Transfer {
    double o = 0;  ///< o_i(s): the data side by side
    double l = 0;  ///< l_i(s, d): what its stride adds
    double g = 0;  ///< g_i: where other messages contend
};

/// log_nP: `sum_i max(o_i, g_i) + l_i` seconds over the implicit transfers of one message
/// (equation 1).
[[nodiscard]] inline double lognp(std::span<const Transfer> transfers) {
    double sum = 0;
    for (const auto& transfer : transfers) sum += std::max(transfer.o, transfer.g) + transfer.l;
    return sum;
}

/// The three terms of log_3P for one message, seconds.
struct ThreePoints {
    double o_mw = 0;   ///< middleware overhead, of both sides
    double l_mw = 0;   ///< middleware latency, of both sides
    double o_net = 0;  ///< network overhead

    /// `T(s, d) = o_mw(s) + l_mw(s, d) + o_net(s)` (equation 6).
    [[nodiscard]] constexpr double total() const { return o_mw + l_mw + o_net; }
};

/// log_3P of a message of `s` bytes of data that lie `d` bytes apart, from a measured table. Linear
/// in `s` between two measured sizes; below the smallest as that, beyond the largest in proportion
/// to the bytes. Linear in the logarithm of `d` between two measured strides, of which the first is
/// data side by side, where `l_mw` is 0; beyond the largest as that.
[[nodiscard]] inline ThreePoints log3p(const Log3P& table, double s, double d) {
    if (table.sizes.empty()) return {};
    const auto largest = static_cast<double>(table.sizes.back());
    const double beyond = std::max(1.0, s / largest);
    const auto column = [&](std::size_t stride) {
        std::vector<double> values;
        values.reserve(table.sizes.size());
        for (const auto& row : table.l_mw) values.push_back(row[stride]);
        return interpolate(table.sizes, values, s);
    };
    double l_mw = 0;
    auto below = static_cast<double>(table.element);
    double at_below = 0;
    for (std::size_t i = 0; i < table.strides.size() && d > below; ++i) {
        const auto stride = static_cast<double>(table.strides[i]);
        const double at_stride = column(i);
        const double share = d >= stride ? 1 : std::log(d / below) / std::log(stride / below);
        l_mw = at_below + share * (at_stride - at_below);
        below = stride;
        at_below = at_stride;
    }
    return {beyond * interpolate(table.sizes, table.o_mw, s), beyond * l_mw,
            beyond * interpolate(table.sizes, table.o_net, s)};
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
[[nodiscard]] constexpr double ratio(const ThreePoints& predicted, double measured) {
    return measured > 0 ? predicted.total() / measured : 1;
}

}  // namespace lapwing::model
