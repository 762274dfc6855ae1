#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Costs of one way to move bytes between two ranks. All ways are measured alike, for comparison
/// (Bell 2006, figures 2 to 4).
struct OperationCosts {
    std::string name;       ///< "isend", "send", "put", "get", "rput", …: unique in its transport
    std::string transport;  ///< "two-sided", "rma", "ucx", "shmem", "partitioned" or "collective"
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing
    std::vector<int> bursts;           ///< operations initiated back to back, increasing
    /// Seconds from the initiation until the initiator knows of the arrival [size] (Bell, figure
    /// 2). It is always a round trip: a put and its flush, a get, a message and its empty answer.
    std::vector<double> latency;
    /// o(S, b): the mean time of an initiation in a burst, seconds [size][burst] (Iancu 2.1, figure
    /// 6 E).
    std::vector<std::vector<double>> overhead;
    /// o(S) by the asymptotic method, seconds [size]: the processor time of each operation in a
    /// long train, found from how much computation fits between them for free.
    std::vector<double> asymptotic;
    double gap = 0;                 ///< g: least time between two short operations, seconds
    std::vector<double> bandwidth;  ///< of a flood, bytes a second [size] (Bell, figures 3 and 4)

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name, fields::Free{});
        visit("transport", self.transport, fields::Free{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("bursts", self.bursts, fields::Axis{});
        visit("latency", self.latency, fields::Column{self.sizes.size()});
        visit("overhead", self.overhead, fields::Grid{self.sizes.size(), self.bursts.size()});
        visit("asymptotic", self.asymptotic, fields::Column{self.sizes.size()});
        visit("gap", self.gap, fields::Cost{});
        visit("bandwidth", self.bandwidth, fields::Column{self.sizes.size()});
    }
};

}  // namespace lapwing
