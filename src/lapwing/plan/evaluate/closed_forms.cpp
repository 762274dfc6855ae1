#include "lapwing/plan/evaluate/closed_forms.hpp"

#include <algorithm>

#include "lapwing/plan/evaluate/recurrences.hpp"
#include "lapwing/profile/linearity.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {

double lower_bound_seconds(const RankCosts& costs) {
    // What is asked for while the first data is on its way costs nothing more.
    if (costs.link->one_sided.pulled)
        return costs.line.o_r.base + costs.line.L +
               std::max(costs.workload.compute, costs.line.G * costs.volume());
    if (costs.workload.pattern != Pattern::stream || costs.two_way)
        return std::max(costs.workload.compute, costs.line.L + costs.line.G * costs.volume());
    return model::stream_limit(as_receiver(costs), costs.volume());
}

double acknowledged_seconds(const RankCosts& costs) {
    const double acknowledgement = costs.link->one_sided.acknowledgement;
    if (acknowledgement == 0 || costs.workload.direction != Direction::fetch) return 0;
    const LogGP& link = costs.link->loggp;
    return link.o_s + link.L + link.G * costs.volume() + acknowledgement;
}

double blocking_seconds(const RankCosts& costs) {
    const double compute = costs.workload.compute;
    if (costs.two_way) return RankRecurrence(costs.with_computation(0)).unsplit_seconds() + compute;
    model::Stream x = as_receiver(costs);
    if (costs.peers == 1)
        return std::max(model::blocking(x, costs.volume()), acknowledged_seconds(costs));
    x.t = 0;
    simulate::StreamRecurrence stream(x);
    stream.messages(static_cast<double>(costs.bytes_per_peer), static_cast<double>(costs.peers));
    return stream.consumed() + compute;
}

double independent_seconds(const RankCosts& costs, const Messages& messages, double unhidden) {
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
    const Direction direction = costs.workload.direction;
    const bool sends = costs.two_way || direction == Direction::produce;
    const bool receives = costs.two_way || direction == Direction::fetch;
    const auto first = static_cast<double>(messages.runs().front().size);
    const double computed = (sends ? all(x.o_s) : 0) + costs.workload.compute;
    const double arriving = x.o_s(first) + x.L + x.h + x.G * first;
    const double arrived = std::max(x.o_s(first) + x.L + count * x.h + x.G * volume,
                                    all(x.o_s) + x.L + x.h + x.G * first) +
                           costs.link->one_sided.acknowledgement;
    const auto last = static_cast<double>(messages.runs().back().size);
    const double end = std::max(computed, arrived);
    if (!receives) return end + unhidden + x.o_r(first);
    // What arrives while a rank waits is taken up before the rest is there.
    return std::max(end + x.o_r(last), std::max(computed, arriving) + all(x.o_r)) + unhidden;
}

}  // namespace lapwing
