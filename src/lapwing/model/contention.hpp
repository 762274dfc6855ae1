#pragma once

#include <cmath>

#include "lapwing/model/point_to_point.hpp"
#include "lapwing/profile/loggp.hpp"

namespace lapwing::model {

/// The contended end of a one-sided message: a get waits at its source, a put at its target.
enum class End { source, target };

/// Processes that repeatedly compute, then send one message and wait for it.
struct Contention {
    double processes = 1;    ///< processes that send
    double end_points = 1;   ///< end points, over which messages are spread evenly
    double computation = 0;  ///< seconds a process computes between two messages (W of LoPC)
    /// Squared coefficient of variation of an end point's time for a message (C^2 of LoPC): 0 if
    /// all take equally long, 1 if they are exponential.
    double variation = 0;
};

/// Seconds that a message waits at an end point which takes `service` seconds for each, if a
/// process is elsewhere for `elsewhere` seconds of its cycle. Mean-value analysis of a closed
/// queueing network with Bard's approximation, as in LoPC (Frank, Agarwal, Vernon 1997): an
/// arriving message sees the average queue of the other processes. With `n` processes on `k` end
/// points, `U` the share of time one is busy and `Q` the messages at it:
///
///     R = s (1 + (n-1)/n (Q + (C^2 - 1)/2 U)),  Q = x R,  U = x s,  x = (n/k) / (Z + R)
///
/// This is a quadratic equation in `R`; the wait is `R - s`. It is 0 for one process, and `(n-1) s`
/// if all only queue at one end point whose times are exponential.
[[nodiscard]] inline double queueing(const Contention& c, double service, double elsewhere) {
    const double load = (c.processes - 1) / c.end_points;
    const double linear = elsewhere - service * (1 + load);
    const double constant = -service * elsewhere - load * (c.variation - 1) / 2 * service * service;
    const double discriminant = linear * linear / 4 - constant;
    const double residence = -linear / 2 + std::sqrt(discriminant > 0 ? discriminant : 0);
    return residence > service ? residence - service : 0;
}

/// LoPC: LogP with the wait `C_n` for the processor at one end. `o_s + L + C_n + o_r` seconds for a
/// short message (Frank, Agarwal, Vernon 1997; Cameron 2007, section 5).
[[nodiscard]] inline double lopc(const LogGP& p, const Contention& c, End end = End::target) {
    const double service = end == End::target ? p.o_r : p.o_s;
    return logp(p) + queueing(c, service, c.computation + logp(p) - service);
}

/// LoGPC: LogGP with the wait `C_n` at one end, whose interface is busy with every byte. `o_s + L +
/// (m-1) G + C_n + o_r` seconds for `m >= 1` bytes (Moritz, Frank 1998).
[[nodiscard]] inline double logpc(const LogGP& p, double m, const Contention& c,
                                  End end = End::target) {
    const double service = (end == End::target ? p.o_r : p.o_s) + (m - 1) * p.G;
    return loggp(p, m) + queueing(c, service, c.computation + loggp(p, m) - service);
}

}  // namespace lapwing::model
