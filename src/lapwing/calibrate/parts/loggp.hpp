#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What `measure_loggp` measures.
struct LogGPOptions {
    std::vector<std::uint64_t> sizes = {8,     64,    256,   1024,   2048,   4096,   8192,
                                        16384, 32768, 65536, 131072, 262144, 524288, 1048576};
    std::vector<int> bursts = {1, 4, 16, 64};
    int deepest_queue = 512;       ///< outstanding messages up to which a queue depth is looked for
    double visit = 6e-3;           ///< seconds to stay with one quantity before turning to the next
    bool parameters_only = false;  ///< L, o, g, G; neither progress nor queue depth

    /// Fewer entries, in a few seconds.
    static LogGPOptions quick();
    /// The LogGP parameters alone.
    static LogGPOptions parameters();
};

/// Measures messages between two ranks: L, o_s, o_r, g, G, o(S, b), bandwidth one way and both
/// ways, and the queue depth. It also finds whether the interface serialises, whether messages
/// progress while nobody calls MPI, and how much processor time that steals. All of it comes from
/// timing; nothing is looked up. Both ranks call it; rank 0 has the result in `profile`. Returns
/// half the round trip of each size of the profile's tables, seconds.
std::vector<Estimate> measure_loggp(Context& context, const LogGPOptions& options,
                                    Profile& profile);

}  // namespace lapwing
