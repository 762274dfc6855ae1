#include "lapwing/plan/evaluate/reference_times.hpp"

#include <algorithm>
#include <utility>

#include "lapwing/plan/evaluate/rank_recurrence.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {

model::Stream as_receiver(const RankCosts& costs) {
    model::Stream line = costs.line;
    if (costs.workload.direction == Direction::produce) std::swap(line.o_s, line.o_r);
    return line;
}

model::Stream serialised_over_peers(const model::Stream& line, double peers) {
    model::Stream x = line;
    if (peers == 1) return x;
    x.o_r.base *= peers;
    x.o_r.per_byte *= peers;
    x.G *= peers;
    x.h *= peers;
    x.t *= peers;
    return x;
}

double lower_bound_seconds(const RankCosts& costs) {
    if (costs.workload.pattern != Pattern::stream || costs.two_way)
        return std::max(costs.workload.compute, costs.line.L + costs.line.G * costs.volume());
    return model::stream_limit(as_receiver(costs), costs.volume());
}

double blocking_seconds(const RankCosts& costs) {
    const double compute = costs.workload.compute;
    if (costs.two_way) return RankRecurrence(costs.with_computation(0)).unsplit_seconds() + compute;
    model::Stream x = as_receiver(costs);
    if (costs.peers == 1) return model::blocking(x, costs.volume());
    x.t = 0;
    simulate::StreamRecurrence stream(x);
    stream.messages(static_cast<double>(costs.bytes_per_peer), static_cast<double>(costs.peers));
    return stream.consumed() + compute;
}

}  // namespace lapwing
