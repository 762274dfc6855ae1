#pragma once

#include <algorithm>

#include "lapwing/profile/loggp.hpp"
#include "lapwing/profile/plogp.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::model {

/// g'(m): seconds between two messages of `m` bytes in a train. Linear between two measured sizes,
/// proportional to the bytes beyond the largest.
[[nodiscard]] inline double gap(const PLogP& p, double m) {
    if (p.sizes.empty()) return 0;
    return interpolate(p.sizes, p.gap, m) * std::max(1.0, m / static_cast<double>(p.sizes.back()));
}

/// Parameterised LogP: `L' + g'(m)` seconds for one message of `m` bytes (Kielmann 2000).
[[nodiscard]] inline double plogp(const PLogP& p, double m) { return p.L + gap(p, m); }

/// `G(m) = g'(m) / m` seconds per byte (March 2009, equation 4).
[[nodiscard]] inline double gap_per_byte(const PLogP& p, double m) { return gap(p, m) / m; }

/// The sign of os(1) in March's equation 1.
enum class Conversion {
    derived,  ///< `L = L' + g'(1) - os(1) - or(1)`, as the definition of L' gives it
    printed,  ///< `L = L' + g'(1) + os(1) - or(1)`, as March prints it
};

/// LogGP parameters from parameterised LogP (March 2009, figure 2), with the `G` of the largest
/// message. Both overheads are kept; March's `o` is their mean. At one byte `L + o_s + o_r = L' +
/// g'(1)`; at `m` bytes LogGP with `G(m)` is longer by `g'(1) - g'(m) / m`. `L` is negative if the
/// overheads exceed the total time of one byte.
[[nodiscard]] inline LogGP loggp(const PLogP& p, Conversion form = Conversion::derived) {
    if (p.sizes.empty()) return {};
    LogGP result;
    result.o_s = interpolate(p.sizes, p.send, 1);
    result.o_r = interpolate(p.sizes, p.receive, 1);
    result.g = gap(p, 1);
    result.G = gap_per_byte(p, static_cast<double>(p.sizes.back()));
    const double sign = form == Conversion::printed ? 1 : -1;
    result.L = p.L + result.g + sign * result.o_s - result.o_r;
    return result;
}

}  // namespace lapwing::model
