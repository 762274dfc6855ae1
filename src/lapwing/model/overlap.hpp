#pragma once

#include <limits>

namespace lapwing::model {

/// One decomposition of a stream, as Iancu and Strohmaier (2007, section 3.1) describe it: `V`
/// bytes in messages of `S` bytes, initiated in bursts of `b`. Times in seconds, sizes in bytes.
struct Overlap {
    double V = 0;    ///< bytes in all
    double S = 0;    ///< bytes a message
    double b = 1;    ///< messages a burst
    double t_V = 0;  ///< computation in all
    double o = 0;    ///< o(S, b): send and receive overhead of a message
    double L = 0;    ///< latency
    double G_S = 0;  ///< seconds per byte of messages of S bytes
    double G_V = 0;  ///< seconds per byte of one message of V bytes

    [[nodiscard]] constexpr double N() const { return V / S; }          ///< messages
    [[nodiscard]] constexpr double n_b() const { return N() / b; }      ///< bursts
    [[nodiscard]] constexpr double t_S() const { return t_V * S / V; }  ///< computation a message
    /// Communication takes longer than computation.
    [[nodiscard]] constexpr bool communication_bound() const { return G_V * V > t_V; }
};

/// Equation 1: communication bound, template C.
[[nodiscard]] constexpr double equation_1(const Overlap& x) {
    return (x.o + x.L) * x.n_b() + x.N() * x.G_S * x.S + x.n_b() * x.t_S();
}

/// Constraint 2: the time communication has to spare pays for initiating its messages.
/// Only for the communication-bound case; elsewhere no decomposition satisfies it.
[[nodiscard]] constexpr bool constraint_2(const Overlap& x) {
    return x.G_V * x.V - x.t_V > x.N() * x.o;
}

/// Constraint 3: initiating a burst is hidden by the first transfer of the burst.
[[nodiscard]] constexpr bool constraint_3(const Overlap& x) {
    return x.L + x.G_S * x.S > (x.b - 1) * x.o;
}

/// Equation 4: communication bound, template E, perfect overlap.
[[nodiscard]] constexpr double equation_4(const Overlap& x) {
    return x.o + x.L + x.N() * x.G_S * x.S + x.t_S();
}

/// Equation 5: template E, computation and communication of similar length.
[[nodiscard]] constexpr double equation_5(const Overlap& x) {
    return (x.o + x.L) * x.n_b() * x.t_V / (x.G_V * x.V) + x.N() * x.G_S * x.S + x.t_S();
}

/// Equation 6: computation bound, template C.
[[nodiscard]] constexpr double equation_6(const Overlap& x) {
    return (x.o + x.L + x.G_S * x.S + x.b * x.t_S()) * x.n_b();
}

/// Equation 7: computation bound, template E; meant for two bursts or more.
[[nodiscard]] constexpr double equation_7(const Overlap& x) {
    return (x.o + x.L + x.G_S * x.S) + x.b * x.t_S() * x.n_b() + x.o * x.b * (x.n_b() - 2);
}

/// The term that equation 9 adds if `P` processes share one end: their bursts go one after another.
[[nodiscard]] constexpr double congestion(const Overlap& x, double P) {
    return (P - 1) * x.b * x.G_S * x.S;
}

/// Equation 10: all-to-all, staggered, one peer after the other, template E. When a rank goes on to
/// the next peer, up to two bursts to the last one are outstanding.
[[nodiscard]] constexpr double equation_10(const Overlap& x, double P) {
    return equation_5(x) + 2 * congestion(x, P);
}

/// Equation 11: all-to-all, staggered, a message of each peer in turn, template E.
[[nodiscard]] constexpr double equation_11(const Overlap& x) {
    return equation_5(x) + x.n_b() * x.b * x.G_S * x.S;
}

/// Constraint 8: a burst fits into the hardware queue of depth `HD` (infinite where none is known).
[[nodiscard]] constexpr bool constraint_8(const Overlap& x,
                                          double HD = std::numeric_limits<double>::infinity()) {
    return x.b < HD;
}

/// The outstanding-volume limit of networks whose interface has a small TLB (Iancu 3.1):
/// `b S` bytes at most `limit` (4 MB on Elan).
[[nodiscard]] constexpr bool outstanding_volume(const Overlap& x, double limit) {
    return x.b * x.S <= limit;
}

}  // namespace lapwing::model
