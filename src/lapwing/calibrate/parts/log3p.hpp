#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What of log_3P to measure.
struct Log3POptions {
    std::vector<std::uint64_t> sizes = {1024,  2048,   4096,   8192,   16384,  32768,
                                        65536, 131072, 262144, 524288, 1048576};
    /// Powers of two and, beyond a cache line, others that are a line longer: in caches the two
    /// differ (see `model::crowding`). Half a page and a page: from there on each element has a
    /// page of its own.
    std::vector<std::uint64_t> strides = {16, 64, 512, 576, 2048, 2112, 4096, 4160};
    /// Bytes that the elements of one message may be spread over. The entries of longer messages
    /// are extrapolated from the longest that fits.
    std::uint64_t span = std::uint64_t{128} << 20;
    double longest = 30e-3;  ///< seconds one message may take
    bool refine = true;      ///< further sizes where the time is not a straight line

    /// Fewer entries, in a second.
    static Log3POptions quick();
};

/// Measures what the middleware and the network each take of a message (Cameron, Ge, Sun 2007,
/// section 4.1), with doubles side by side, and `d` bytes apart, by `MPI_Type_vector`:
///
///     o_mw(s)     = T_self(s) - T_mem(s)        a message to oneself, less a copy
///     l_mw(s, d)  = T_self(s, d) - T_self(s)
///     o_net(s)    = T_peer(s) - o_mw(s)         a message to a peer
///
/// T_peer is half a round trip, as the usual benchmarks have it: a message goes back from where it
/// arrived to where it came from. A strided message fills caches, and a rank with two arrays would
/// find less of either there. Packing by hand is timed on one rank and, as half of what it adds to
/// a message to a peer, on both. If that message takes clearly longer than its parts, the second
/// counts. It does between processors where one has just written the data.
///
/// Messages in turn find processors awake, and the wire at the rate of a token bucket half empty.
/// An operation of a program is different. So the same data is timed once more as a broadcast,
/// which both ranks begin at one moment after a rest, by `TimedStart`. Some MPIs pack for a
/// broadcast but not for a send. In simulated time the two are the same.
///
/// The paper prints `T_peer = o_net + o_mw / 2`, but its equation 6 and its own figures have all of
/// o_mw in it (29 + 420 + 131 = 580 us). No term is below 0. The paper reports the least of its
/// samples; here it is the median, at the fastest clock (see `ClockSpeed`).
///
/// Both ranks call it. Rank 0 has the result in `profile.log3p`; its `profile.latency`, if there is
/// one, says at which sizes messages bend.
void measure_log3p(Context& context, const Log3POptions& options, Profile& profile);

}  // namespace lapwing
