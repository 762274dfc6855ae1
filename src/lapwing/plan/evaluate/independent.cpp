#include "lapwing/plan/evaluate/independent.hpp"

#include <algorithm>

#include "lapwing/plan/costs/known_sizes.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

double independent_seconds(const RankCosts& costs, const Messages& messages, double unhidden) {
    const Workload& workload = costs.workload;
    const double volume = costs.volume();
    model::Stream x = costs.line;
    if (!is_piecewise_linear(*costs.link)) {
        double wire = 0;
        for (const auto& [size, count] : messages.runs()) {
            const auto bytes = static_cast<double>(size);
            wire += static_cast<double>(count) * bytes * gap_per_byte(*costs.link, bytes);
        }
        x.G *= wire / (costs.link->loggp.G * static_cast<double>(messages.volume()));
        x.h = 0;  // is in the flood's gaps
    }
    const auto count = static_cast<double>(messages.count() * costs.peers);
    const auto all = [&](const LinearCost& line) {
        return count * line.base + line.per_byte * volume;
    };
    // The rank that computes may be one that only sends, or only receives.
    const bool sends = costs.two_way || workload.direction == Direction::produce;
    const bool receives = costs.two_way || workload.direction == Direction::fetch;
    const auto first = static_cast<double>(messages.runs().front().size);
    const double wire = std::max(x.o_s(first) + x.L + count * x.h + x.G * volume,
                                 all(x.o_s) + x.L + x.h + x.G * first);
    return std::max((sends ? all(x.o_s) : 0) + workload.compute, wire) + unhidden +
           (receives ? all(x.o_r) : x.o_r(first));
}

}  // namespace lapwing
