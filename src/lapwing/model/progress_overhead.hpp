#pragma once

#include <algorithm>

namespace lapwing::model {

/// Seconds by which messages under way prolong a computation, where the system takes `O` seconds a
/// byte of the computing processor for them, beside `G` of the wire (the O of LogGOPS: Hoefler,
/// Schneider, Lumsdaine 2010; here nobody calls for it). While both last, the processor computes
/// for the share 1 - O/G of the time: (O/G) min(T / (1 - O/G), G S).
///
/// `compute`: T, seconds without messages. `bytes`: S, of which none is on its way before or after.
[[nodiscard]] inline double progress_overhead(double compute, double bytes, double G, double O) {
    if (!(compute > 0) || !(O > 0) || !(G > 0)) return 0;
    const double share = std::min(O / G, 1.0);
    return share * std::min(compute / (1 - share), G * bytes);  // by 0: for as long as bytes last
}

}  // namespace lapwing::model
