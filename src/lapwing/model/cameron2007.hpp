#pragma once

#include <cmath>
#include <cstdint>

#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/log3p.hpp"
#include "lapwing/profile/loggp.hpp"

/// Broadcasts of one message, contiguous or strided, as Cameron, Ge and Sun (2007, section 4.3.3)
/// print them: by LogGP, which knows no stride, and by log_3P. `P`: ranks; `m`: bytes. Results in
/// seconds.
namespace lapwing::model::cameron2007 {

/// The height of a tree of `P` ranks: `ceil(log P)`.
[[nodiscard]] constexpr std::uint32_t height(std::uint64_t P) { return ceil_log(P); }

/// Linear, by LogGP: `2 o + L + (P-1) G k + (P-2) g`, `k = m - 1`.
[[nodiscard]] constexpr double linear(const LogGP& p, std::uint64_t P, double m) {
    if (P < 2) return 0;
    const auto ranks = static_cast<double>(P);
    return p.o_s + p.o_r + p.L + (ranks - 1) * p.G * (m - 1) + (ranks - 2) * p.g;
}

/// Linear, by log_3P: `P (o_mw/2 + l_mw/2) + o_net`.
[[nodiscard]] constexpr double linear(const Log3PTerms& message, std::uint64_t P) {
    if (P < 2) return 0;
    return static_cast<double>(P) * (message.o_mw + message.l_mw) / 2 + message.o_net;
}

/// Tree, by LogGP: `h (2 o + L + k G) + (h-1) g`, `k = m - 1`.
[[nodiscard]] constexpr double tree(const LogGP& p, std::uint64_t P, double m) {
    if (P < 2) return 0;
    const double h = height(P);
    return h * (p.o_s + p.o_r + p.L + (m - 1) * p.G) + (h - 1) * p.g;
}

/// Tree, by log_3P: `h (o_mw + l_mw + o_net)`.
[[nodiscard]] constexpr double tree(const Log3PTerms& message, std::uint64_t P) {
    return height(P) * message.total();
}

/// MPICH's hybrid, by log_3P and by LogGP: a tree across the first ranks of groups of `group`
/// ranks, then linear inside each group. With one group it is linear, with groups of one rank a
/// tree.
[[nodiscard]] constexpr double grouped(const Log3PTerms& message, std::uint64_t P,
                                       std::uint64_t group) {
    return tree(message, share(P, group)) + linear(message, group < P ? group : P);
}
[[nodiscard]] constexpr double grouped(const LogGP& p, std::uint64_t P, std::uint64_t group,
                                       double m) {
    return tree(p, share(P, group), m) + linear(p, group < P ? group : P, m);
}

/// The group size, a power of two up to `P`, with which the hybrid is fastest: 1 is a tree, `P` or
/// more linear. `cost(group)`: seconds of the hybrid.
template <class Cost>
[[nodiscard]] constexpr std::uint64_t best_group(std::uint64_t P, Cost cost) {
    std::uint64_t best = 1;
    for (std::uint64_t group = 2; group < 2 * P; group *= 2)
        if (cost(group) < cost(best)) best = group;
    return best;
}

}  // namespace lapwing::model::cameron2007
