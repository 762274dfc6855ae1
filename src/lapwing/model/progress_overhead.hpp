#pragma once

#include <algorithm>

namespace lapwing::model {

/// Seconds by which messages in flight prolong a computation. The system steals `O` seconds of
/// processor time for each byte, and the wire takes `G`. `O` is that of LogGOPS (Hoefler,
/// Schneider, Lumsdaine 2010), here without calls. While both last, the processor computes for the
/// share `1 - O/G` of the time: `(O/G) min(T / (1 - O/G), G S)`.
///
/// `compute`: T, seconds without messages. `bytes`: S, all of them in flight during the
/// computation.
[[nodiscard]] inline double progress_overhead(double compute, double bytes, double G, double O) {
    if (!(compute > 0) || !(O > 0) || !(G > 0)) return 0;
    const double share = std::min(O / G, 1.0);
    return share * std::min(compute / (1 - share), G * bytes);  // for share 1 the first is infinite
}

}  // namespace lapwing::model
