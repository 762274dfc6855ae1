#include "lapwing/plan/costs/workload_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "lapwing/model/packing.hpp"
#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/profile/pattern_gap.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// How many times as long the wire takes where all ranks send to all and leaf switches have fewer
/// uplinks than nodes. Of the messages to the rank `d` further on, those of the last `d` nodes of a
/// leaf leave it.
double oversubscription(const Profile& profile, std::uint64_t ranks) {
    if (!profile.topology || profile.topology->uplinks <= 0) return 1;
    const auto below = static_cast<std::uint64_t>(std::max(1, profile.topology->below));
    const auto uplinks = static_cast<double>(profile.topology->uplinks);
    double sum = 0;
    for (std::uint64_t d = 1; d < ranks; ++d) {
        const auto leaving = static_cast<double>(std::min({d, ranks - d, below}));
        sum += std::max(1.0, ranks > below ? leaving / uplinks : 1.0);
    }
    return sum / static_cast<double>(ranks - 1);
}

/// Adds what packing strided data takes the processors at both ends, the cheaper way.
void add_packing(RankCosts& costs, const Profile& profile) {
    const Workload& workload = costs.workload;
    if (!is_strided(workload)) return;
    const Log3P& table = strided_costs(profile);
    const double stride = model::element_stride(table, static_cast<double>(workload.block),
                                                static_cast<double>(workload.stride));
    const auto size = std::min(static_cast<double>(costs.bytes_per_peer),
                               static_cast<double>(table.sizes.back()));
    const double contiguous = model::at_size(table, table.peer, size);
    const auto ways = model::packing(table, size, stride);
    const double adds = std::max(0.0, std::min(ways.derived, ways.packed) - contiguous);
    costs.line.o_s.per_byte += adds / 2 / size;
    costs.line.o_r.per_byte += adds / 2 / size;
    costs.packing = ways.pack() ? Packing::blocked : Packing::derived;
}

/// The profile's pattern in which ranks share the wire as they do here; "" where none do.
std::string_view measured_pattern(const Workload& workload) {
    const Pattern pattern = workload.pattern;
    if (pattern == Pattern::halo) return "nearest-neighbour";
    if (pattern == Pattern::congested ||
        (pattern == Pattern::multi && workload.direction == Direction::fetch))
        return "gather";
    return with_all(pattern) ? "alltoall" : "";
}

/// Sets `costs.line` and `costs.packing` for the pattern: whose wire is shared, whose processor.
///
/// - `multi`: the peers' processors work side by side.
/// - `congested`: what all others send goes through one wire and one processor, `P` times as long.
/// - Patterns in which all ranks send: G is the slowest of the link's, that of both directions at
///   once, and that measured in the pattern, times the oversubscription of leaf switches.
/// - Collectives are flat: a message to each of the other ranks.
///
/// `slowest`: seconds per byte that the wire takes at most, before contention. What messages longer
/// than `largest` bytes took in the pattern does not count.
void set_pattern_line(RankCosts& costs, const Profile& profile,
                      double slowest = std::numeric_limits<double>::infinity(),
                      double largest = std::numeric_limits<double>::infinity()) {
    const Workload& workload = costs.workload;
    const auto peers = static_cast<double>(workload.peers);
    const auto others = static_cast<double>(workload.ranks - 1);
    const bool fetches = workload.direction == Direction::fetch;
    model::Stream& line = costs.line;
    line = model::stream_costs(*costs.link, costs.volume(), workload.compute);
    add_packing(costs, profile);
    const std::string_view pattern = measured_pattern(workload);
    if (costs.two_way) line.G = std::max(line.G, two_way_gap(*costs.link));
    line.G = std::max(line.G, pattern_gap(profile, pattern, workload.ranks, largest));
    line.G = std::min(line.G, slowest);
    if (pattern == "alltoall") line.G *= oversubscription(profile, workload.ranks);
    LinearCost& far_end = fetches ? line.o_s : line.o_r;
    if (workload.pattern == Pattern::multi && !costs.two_way) far_end *= 1 / peers;
    if (workload.pattern == Pattern::congested) {
        line.G *= peers;
        line.h *= peers;
        far_end *= peers;
    }
    if (workload.pattern == Pattern::collective) {
        const double sizes = (line.o_s.base + line.o_r.base) * others;
        line.o_s.base *= others;
        line.o_r.base *= others;
        line.h *= others;
        if (workload.sizes_known) return;
        // Sizes are sent ahead, a small message to each rank, and data waits for them.
        line.o_s.base += sizes;
        line.L *= 2;
    }
    if (workload.pattern == Pattern::buckets) {  // all of a message goes to each of the others
        line.o_s *= others;
        line.o_r *= others;
        line.h *= others;
        line.G *= others;
    }
}

/// Messages in flight to each peer that the interface's queue takes. Where rank 0 moves the data of
/// all the others, who do not know of each other, they share its queue.
int most_in_flight(const Profile& profile, const Workload& workload, MessageTransport transport) {
    if (!profile.queue_depth) return std::numeric_limits<int>::max();
    const bool rank_0_moves = workload.pattern == Pattern::congested &&
                              (workload.direction == Direction::fetch) != is_get(transport);
    const auto sharing = static_cast<int>(rank_0_moves ? workload.peers : 1);
    return std::max(1, (*profile.queue_depth - 1) / std::max(1, sharing));
}

/// The costs of a rank that does not compute while messages are in flight.
RankCosts idle_costs(const Profile& profile, const Workload& workload, MessageTransport transport) {
    RankCosts costs;
    costs.workload = workload;
    // The profile is not copied: it outlives the costs.
    costs.link = std::shared_ptr<const LinkCosts>(std::shared_ptr<void>(), &profile);
    if (transport != MessageTransport::two_sided) {
        costs.link =
            std::make_shared<const LinkCosts>(one_sided_costs(profile, workload, transport));
        costs.transport = name(transport);
        costs.one_by_one = moves_one_by_one(profile, transport);
        costs.stream_ends = stream_ends(profile, workload, transport);
    }
    const Pattern pattern = workload.pattern;
    if (pattern == Pattern::collective || pattern == Pattern::buckets)
        costs.transport = "collective";
    costs.topology = profile.topology;
    const bool all_compute =
        pattern != Pattern::stream && pattern != Pattern::multi && pattern != Pattern::congested;
    costs.two_way = all_compute || workload.direction == Direction::both;
    costs.peers = shares_window(workload) ? workload.peers : 1;
    costs.bytes_per_peer = peer_volume(workload);
    costs.max_in_flight = most_in_flight(profile, workload, transport);
    set_pattern_line(costs, profile);
    costs.progress =
        progress_limits(profile.progress, costs.link->protocol, as_receiver(costs), costs.two_way);
    return costs;
}

/// Puts measured exposed times in place of the model's terms.
void set_exposed_time(RankCosts& costs, const Profile& profile, const ExposedTime& exposed) {
    const LinkCosts& link = *costs.link;
    const double G = link.loggp.G;
    const ExposureOptimum optimum = exposure_optimum(exposed, G);
    if (costs.two_way) {
        // With less computation than wire, the wire shows in what was measured: between bursts a
        // link may be faster than in a flood.
        const double slowest =
            std::min(1.0, exposed.computation) * std::max(G, two_way_gap(link)) + optimum.per_byte;
        const auto largest = static_cast<double>(exposed.sizes[optimum.at]);
        costs.link =
            std::make_shared<const LinkCosts>(exchanging_costs(link, exposed, optimum, slowest));
        costs.exposed_sizes = exposed.sizes;
        set_pattern_line(costs, profile, slowest, largest);
    } else {
        costs.link = std::make_shared<const LinkCosts>(receiving_costs(link, exposed, optimum));
        costs.exposed_receive = true;
        set_pattern_line(costs, profile);
    }
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
    RankCosts idle = idle_costs(profile, workload, transport);
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
    return {std::move(computing), std::move(idle),
            std::hypot(workload.uncertainty, profile.error.G)};
}

}  // namespace lapwing
