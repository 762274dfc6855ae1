#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Latency and bandwidth of a pair of ranks, measured as the usual message-passing benchmarks do.
struct Latency {
    std::vector<std::uint64_t> sizes;     ///< bytes, increasing
    std::vector<double> half_round_trip;  ///< seconds: a blocking ping-pong (IMB PingPong)
    std::vector<double> bandwidth;  ///< bytes a second: windows of 64 messages, each answered by a
                                    ///< short one (OSU bw); 0 where it is unknown

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sizes", self.sizes, fields::Axis{});
        visit("half_round_trip", self.half_round_trip, fields::Column{self.sizes.size()});
        visit("bandwidth", self.bandwidth, fields::Column{self.sizes.size()});
    }
};

}  // namespace lapwing
