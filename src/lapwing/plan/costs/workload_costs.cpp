#include "lapwing/plan/costs/workload_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/costs/pattern_line.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// The costs of a rank that does not compute while messages are in flight.
RankCosts idle_costs(const Profile& profile, const Workload& workload, MessageTransport transport) {
    RankCosts costs;
    costs.workload = workload;
    // The profile is not copied: it outlives the costs.
    costs.link = std::shared_ptr<const LinkCosts>(std::shared_ptr<void>(), &profile);
    if (transport != MessageTransport::two_sided) {
        costs.link = std::make_shared<const LinkCosts>(
            one_sided_costs(profile, transport, workload.direction));
        costs.transport = name(transport);
    }
    if (workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets)
        costs.transport = "collective";
    costs.topology = profile.topology;
    costs.two_way = is_two_way(workload);
    costs.peers = shares_window(workload) ? workload.peers : 1;
    costs.bytes_per_peer = peer_volume(workload);
    costs.max_in_flight = profile.queue_depth ? std::max(1, *profile.queue_depth - 1)
                                              : std::numeric_limits<int>::max();
    set_pattern_line(costs, profile, {});
    costs.progress =
        progress_limits(profile.progress, costs.link->protocol, as_receiver(costs), costs.two_way);
    return costs;
}

/// Puts measured exposed times in place of the model's terms.
void set_exposed_time(RankCosts& costs, const Profile& profile, const ExposedTime& exposed) {
    const LinkCosts& link = *costs.link;
    const double G = link.loggp.G;
    const ExposureOptimum optimum = exposure_optimum(exposed, G);
    PatternWire wire;
    if (costs.two_way) {
        // With less computation than wire, the wire shows in what was measured: between bursts a
        // link may be faster than in a flood.
        wire.slowest =
            std::min(1.0, exposed.computation) * std::max(G, two_way_gap(link)) + optimum.per_byte;
        wire.largest = exposed.sizes[optimum.at];
        costs.link = std::make_shared<const LinkCosts>(
            exchanging_costs(link, exposed, optimum, wire.slowest));
        costs.exposed_sizes = exposed.sizes;
    } else {
        costs.link = std::make_shared<const LinkCosts>(receiving_costs(link, exposed, optimum));
        costs.exposed_receive = true;
    }
    set_pattern_line(costs, profile, wire);
    costs.progress = progress_limits(exposed, optimum, profile.progress.poll_interval);
}

/// Processor time that messages steal if all of them are in flight while the rank computes,
/// seconds. An exchange's measured exposed times hold it.
double stolen_seconds(const Progress& progress, const RankCosts& costs) {
    if (!costs.exposed_sizes.empty()) return 0;
    const Workload& workload = costs.workload;
    const bool sends = workload.direction == Direction::produce;
    const double O = costs.two_way ? progress.O_both : sends ? progress.O_s : progress.O_r;
    return model::progress_overhead(workload.compute, costs.volume(), costs.line.G, O);
}

}  // namespace

model::Stream as_receiver(const RankCosts& costs) {
    model::Stream line = costs.line;
    if (!costs.two_way && costs.workload.direction == Direction::produce)
        std::swap(line.o_s, line.o_r);
    return line;
}

WorkloadCosts workload_costs(const Profile& profile, const Workload& workload,
                             MessageTransport transport) {
    const RankCosts idle = idle_costs(profile, workload, transport);
    RankCosts computing = idle;
    const ExposedTime* const exposed =
        measured_exposure(profile.progress, workload, idle.two_way, profile.loggp.G);
    // It was measured of two-sided messages.
    if (exposed != nullptr && transport == MessageTransport::two_sided)
        set_exposed_time(computing, profile, *exposed);
    if (const double stolen = stolen_seconds(profile.progress, computing); stolen > 0) {
        computing.workload.compute += stolen;
        computing.line.t = computing.workload.compute / computing.volume();
    }
    return {computing, idle, std::hypot(workload.uncertainty, profile.error.G)};
}

}  // namespace lapwing
