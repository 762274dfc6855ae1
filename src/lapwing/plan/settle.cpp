#include "lapwing/plan/settle.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/simulate/recurrence/representative_rank.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

/// Bytes of the messages there are most bytes in.
std::uint64_t usual_size(const Messages& messages) {
    Run most;
    for (const Run& run : messages.runs())
        if (run.size * run.count > most.size * most.count) most = run;
    return most.size;
}

Bound bound_of(const Plan& plan, const Flow& flow, double stalled) {
    const auto count = static_cast<double>(plan.messages.count() * flow.peers);
    const auto& x = flow.costs;
    const double wire = count * x.h + x.G * flow.volume;
    const double sending = count * x.o_s.base + x.o_s.per_byte * flow.volume;
    const double receiving = count * x.o_r.base + x.o_r.per_byte * flow.volume;
    const bool produces = plan.workload.direction == Direction::produce;
    const double here = flow.two_way ? sending + receiving : produces ? sending : receiving;
    const double there = flow.two_way ? 0 : produces ? receiving : sending;
    const double compute = plan.workload.compute;
    const double most = std::max({wire, here + compute, there});
    if (stalled > 0.5 * (plan.predicted - compute)) return Bound::progress;
    // One message, or what goes before the first and behind the last outweighs all else.
    if (count <= 1 || plan.predicted > 2 * most) return Bound::latency;
    if (most == wire) return Bound::bandwidth;
    return there == most || here > compute ? Bound::overhead : Bound::computation;
}

}  // namespace

model::Stream as_fetched(const Workload& workload, model::Stream costs) {
    if (workload.direction == Direction::produce) std::swap(costs.o_s, costs.o_r);
    return costs;
}

model::Stream in_turns(const model::Stream& costs, double peers) {
    model::Stream x = costs;
    if (peers == 1) return x;
    x.o_r.base *= peers;
    x.o_r.per_byte *= peers;
    x.G *= peers;
    x.h *= peers;
    x.t *= peers;
    return x;
}

double limit(const Workload& workload, const Flow& flow) {
    if (workload.pattern != Pattern::stream || flow.two_way)
        return std::max(workload.compute, flow.costs.L + flow.costs.G * flow.volume);
    return model::stream_limit(as_fetched(workload, flow.costs), flow.volume);
}

double blocking(const Workload& workload, const Flow& flow, Nic nic) {
    const auto size = static_cast<double>(flow.own);
    if (flow.two_way) {
        simulate::RepresentativeRank alone;
        alone.costs = flow.costs;
        alone.nic = nic;
        const std::vector<double> sizes(flow.peers, size);
        if (!alone.run(sizes, sizes.size(), 1).in_step) {
            alone.costs.G *= crowding;
            alone.costs.h *= crowding;
        }
        return alone.run(sizes, sizes.size(), sizes.size()).seconds + workload.compute;
    }
    model::Stream x = as_fetched(workload, flow.costs);
    if (flow.peers == 1) return model::blocking(x, flow.volume);
    x.t = 0;
    simulate::StreamRecurrence play(x);
    play.messages(size, static_cast<double>(flow.peers));
    return play.consumed() + workload.compute;
}

RunnerUp runner_up(const Ways& ways, const Messages& chosen, double stalled) {
    RunnerUp best;
    best.predicted = std::numeric_limits<double>::infinity();
    const auto offer = [&](bool is_chosen, double seconds, std::string what) {
        if (is_chosen || !(seconds < best.predicted)) return;
        best = {std::move(what), seconds};
    };
    const bool whole = chosen.count() == 1;
    const bool equal = !whole && chosen.runs().front().size == ways.size &&
                       chosen.count() == (chosen.volume() + ways.size - 1) / ways.size;
    offer(whole, ways.whole, "not split");
    offer(equal, ways.equal + stalled, "equal messages of " + std::to_string(ways.size) + " bytes");
    offer(!whole && !equal, ways.unequal + stalled, "messages of unequal size");
    if (best.what.empty()) best.predicted = 0;
    return best;
}

void settle(Plan& plan, const Flow& flow, double stalled) {
    plan.tile = std::max<std::uint64_t>(1, usual_size(plan.messages) / plan.workload.grain);
    plan.packing = flow.packing;
    // Packed while others travel, where there are others.
    if (plan.packing == Packing::blocked && plan.messages.count() * flow.peers == 1)
        plan.packing = Packing::copy;
    plan.bound = bound_of(plan, flow, stalled);
}

}  // namespace lapwing
