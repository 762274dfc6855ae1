#pragma once

#include <algorithm>
#include <cmath>

#include "lapwing/model/point_to_point.hpp"
#include "lapwing/profile/loggp.hpp"

/// Collectives of MVAPICH2 1.0 as March et al. (2009) print them in table 4, for powers of two of
/// ranks. `P`: ranks; `m`: bytes, of an all-to-all from each rank to each; logarithms to base 2.
/// Seconds. `o` is the mean of both overheads, and `G` counts as 0 up to 8 bytes (section 4.2).
namespace lapwing::model::march2009 {

[[nodiscard]] constexpr double overhead(const LogGP& p) { return (p.o_s + p.o_r) / 2; }
[[nodiscard]] constexpr double gap_per_byte(const LogGP& p, double m) { return m <= 8 ? 0 : p.G; }

/// Point to point: `L + 2 o + (m-1) G` (section 3.2).
[[nodiscard]] constexpr double point_to_point(const LogGP& p, double m) {
    return p.L + 2 * overhead(p) + (m - 1) * gap_per_byte(p, m);
}

/// Barrier, dissemination: `ceil(log P) (L + o + g)`.
[[nodiscard]] inline double barrier(const LogGP& p, double P) {
    return std::ceil(std::log2(P)) * (p.L + overhead(p) + p.g);
}

/// All-to-all, Bruck: `log P (o + (P m/2 - 1) G + delta P m/2 + max(g, L + o)) + delta P m`. The
/// paper prints it with unbalanced parentheses. This reading fits the formula from which the paper
/// derives it. `delta`: seconds per byte of a local copy.
[[nodiscard]] inline double alltoall_bruck(const LogGP& p, double delta, double P, double m) {
    const double o = overhead(p);
    const double half = P * m / 2;
    return std::log2(P) *
               (o + (half - 1) * gap_per_byte(p, m) + delta * half + std::max(p.g, p.L + o)) +
           delta * P * m;
}

/// All-to-all, linear: `L + 2 o + (m-1) G + 2 (P-1) G`, which leaves out the bytes of all messages
/// but one. See `alltoall_linear_corrected`.
[[nodiscard]] constexpr double alltoall_linear(const LogGP& p, double P, double m) {
    return p.L + 2 * overhead(p) + (m - 1 + 2 * (P - 1)) * gap_per_byte(p, m);
}

/// The same with the bytes of all messages, and both overheads of each: `L + 2 o + (m-1) G + (P-2)
/// max(g + (m-1) G, 2 o)`; at `P = 2` a message by itself.
[[nodiscard]] constexpr double alltoall_linear_corrected(const LogGP& p, double P, double m) {
    const double o = overhead(p);
    const double bytes = (m - 1) * p.G;
    return p.L + 2 * o + bytes + (P - 2) * std::max(p.g + bytes, 2 * o);
}

/// All-to-all, pairwise exchange: `(P-1) (L + o + (m-1) G + g)`.
[[nodiscard]] constexpr double alltoall_pairwise(const LogGP& p, double P, double m) {
    return (P - 1) * (p.L + overhead(p) + (m - 1) * gap_per_byte(p, m) + p.g);
}

/// Broadcast, binomial tree: `ceil(log P) (L + 2 o + (m-1) G)`.
[[nodiscard]] inline double bcast_binomial(const LogGP& p, double P, double m) {
    return std::ceil(std::log2(P)) * point_to_point(p, m);
}

/// Broadcast, scatter and ring allgather: `(log P + P - 1) (L + 2 o) + 2 (P-1)/P m G`. March prints
/// this one for both ways to gather.
[[nodiscard]] inline double bcast_scatter_ring(const LogGP& p, double P, double m) {
    return (std::log2(P) + P - 1) * logp(p) + 2 * (P - 1) / P * m * gap_per_byte(p, m);
}

/// Broadcast, scatter and allgather by recursive doubling: `2 log P (L + 2 o) + 2 (P-1)/P m G`.
[[nodiscard]] inline double bcast_scatter_recursive_doubling(const LogGP& p, double P, double m) {
    return 2 * std::log2(P) * logp(p) + 2 * (P - 1) / P * m * gap_per_byte(p, m);
}

/// Growth of the formulas: with short messages (`m = 1`, `G = 0`) in `P` alone, with long ones in
/// `P` and `m`. A formula divided by its growth stays between two constants.
namespace complexity {

/// Barrier, and short messages of Bruck's all-to-all (its local copies aside) and of a binomial or
/// a recursively doubling broadcast: `log P`.
[[nodiscard]] inline double logarithmic(double P) { return std::log2(P); }
/// Short messages of the pairwise all-to-all and of the broadcast by a ring: `P`.
[[nodiscard]] constexpr double linear(double P) { return P; }
/// Short messages of the linear all-to-all, as it is printed; corrected it is `linear`.
[[nodiscard]] constexpr double constant(double) { return 1; }

/// Long messages: of Bruck's all-to-all `m P log P`.
[[nodiscard]] inline double alltoall_bruck(double P, double m) { return m * P * std::log2(P); }
/// Of the linear all-to-all as printed `m + P`.
[[nodiscard]] constexpr double alltoall_linear(double P, double m) { return m + P; }
/// Of the pairwise one, and of the linear one as it is corrected, `m P`.
[[nodiscard]] constexpr double alltoall_pairwise(double P, double m) { return m * P; }
/// Of the binomial broadcast `m log P`.
[[nodiscard]] inline double bcast_binomial(double P, double m) { return m * std::log2(P); }
/// Of the broadcast by scatter and ring `m + P`.
[[nodiscard]] constexpr double bcast_scatter_ring(double P, double m) { return m + P; }
/// Of the broadcast by scatter and recursive doubling `m + log P`.
[[nodiscard]] inline double bcast_scatter_recursive_doubling(double P, double m) {
    return m + std::log2(P);
}

}  // namespace complexity
}  // namespace lapwing::model::march2009
