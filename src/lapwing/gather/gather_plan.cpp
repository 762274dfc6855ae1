#include "lapwing/gather/gather_plan.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "lapwing/gather/gather_partition.hpp"
#include "lapwing/plan/search_options.hpp"
#include "lapwing/profile/pattern_gap.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// Polls of rank 0 during a piece of work: nothing moves until it has seen that sizes are there.
constexpr double polls_per_piece = 32;

/// What a gather costs the ranks and the wire. Seconds.
struct Costs {
    double latency;   ///< of a message, one way
    double send;      ///< overhead of a sender a gather
    double receive;   ///< overhead of rank 0 for each part that arrives, its size included
    double per_byte;  ///< of the wire into rank 0, while all others send to it
};

/// All pieces in tiles of at most `largest`, and what that takes: growing from one piece if
/// `growing`, shrinking to one at the end if `shrinking`, by factors of two.
GatherPlan in_tiles(const Costs& x, const GatherWorkload& workload, double root_share,
                    std::uint64_t largest, bool growing, bool shrinking) {
    GatherPlan gather{.plan = {}, .root_share = root_share};
    GatherPartition partition(workload.ranks, root_share);
    const double others = workload.ranks - 1;
    double worked = 0;  // until here all but rank 0 have worked
    double root = 0;    // and rank 0, what it has to do about messages included
    double wire = 0;
    std::uint64_t tile = growing ? 1 : largest;
    while (partition.assigned() < workload.pieces) {
        if (shrinking) {
            // A tile no larger than all that comes behind it.
            const auto left = static_cast<double>(workload.pieces - partition.assigned());
            const auto rounds = static_cast<std::uint64_t>(left / (others + root_share));
            while (tile > 1 && 2 * tile > rounds) tile /= 2;
        }
        gather.plan.messages.append(tile);
        const auto available = partition.available(tile, workload.pieces);
        const auto mine = partition.block_of(tile, available, 0).count;
        const auto last = partition.block_of(tile, available, workload.ranks - 1).count;
        worked += static_cast<double>(last) * workload.compute + x.send;
        root += static_cast<double>(mine) * workload.compute + others * x.receive;
        // Sizes arrive behind the data in flight. Until rank 0 has asked for what the first of them
        // says, the wire is idle; and so it is where serving a message takes longer than the
        // message.
        const double ready = worked + 3 * x.latency + workload.compute / polls_per_piece;
        wire = std::max(wire, ready) + x.receive +
               std::max(others * x.receive,
                        static_cast<double>(available - mine) * workload.bytes * x.per_byte);
        partition.advance(tile, available);
        if (growing) tile = std::min(largest, 2 * tile);
    }
    gather.plan.predicted = std::max({worked, root, wire + x.latency});
    return gather;
}

/// The fastest in tiles of which `window` fit into the memory.
GatherPlan fastest(const Costs& x, const GatherWorkload& workload, int window) {
    const double others = workload.ranks - 1;
    const double per_tile = workload.bytes * std::max(1.0, others) * window;
    const auto affordable = static_cast<std::uint64_t>(std::max(1.0, workload.memory / per_tile));
    const auto ranks = static_cast<std::uint64_t>(workload.ranks);
    GatherPlan best;
    for (std::uint64_t largest = 1; largest <= affordable && largest / 2 * ranks < workload.pieces;
         largest *= 2) {
        // Rank 0 has a piece fewer for each that its message overheads would take.
        const double busy = others * x.receive / static_cast<double>(largest);
        const double relieved =
            workload.compute > 0 ? std::clamp(1 - busy / workload.compute, 0.0, 1.0) : 1;
        for (int shape = 0; shape < 8; ++shape) {
            GatherPlan gather = in_tiles(x, workload, shape < 4 ? 1 : relieved, largest,
                                         shape % 2 == 1, shape / 2 % 2 == 1);
            if (best.plan.messages.count() == 0 ||
                gather.plan.predicted <
                    best.plan.predicted * (1 - search_options.floating_point_tie))
                best = std::move(gather);
        }
    }
    return best;
}

}  // namespace

GatherPlan gather_with(const GatherSettings& settings, int ranks, std::uint64_t pieces) {
    if (ranks < 1) throw std::invalid_argument("a gather needs a rank");
    if (settings.tile < 1 || settings.window < 1)
        throw std::invalid_argument("a gather's tile and window are at least 1");
    const std::uint64_t round = static_cast<std::uint64_t>(ranks) * settings.tile;
    GatherPlan gather;
    gather.plan.messages.append(settings.tile, (pieces + round - 1) / round);
    gather.plan.window = settings.window;
    gather.plan.poll_interval = settings.poll_interval;
    return gather;
}

GatherPlan plan_gather(const Profile& profile, const GatherWorkload& workload) {
    validate(profile);
    if (workload.ranks < 1) throw std::invalid_argument("a gather needs a rank");
    if (workload.pieces == 0) throw std::invalid_argument("a gather needs something to gather");
    if (!(workload.compute >= 0) || !(workload.bytes > 0) || !std::isfinite(workload.compute) ||
        !std::isfinite(workload.bytes))
        throw std::invalid_argument("a gather's pieces need a finite time and size");

    const double bytes = workload.bytes;
    const auto ranks = static_cast<std::uint64_t>(workload.ranks);
    const Costs costs{.latency = profile.loggp.L,
                      .send = 2 * send_overhead(profile, bytes, 1),
                      .receive = receive_overhead(profile, 8) + receive_overhead(profile, bytes),
                      .per_byte = std::max(gap_per_byte(profile, bytes),
                                           pattern_gap(profile, "gather", ranks, bytes))};
    // A message that does not advance alone needs several calls to arrive.
    const int window = advances_alone(profile.progress) ? 3 : 6;
    GatherPlan gather = fastest(costs, workload, window);
    Plan& plan = gather.plan;
    plan.window =
        static_cast<int>(std::min(static_cast<std::uint64_t>(window), plan.messages.count()));
    plan.poll_interval = workload.compute / polls_per_piece;
    plan.poll_reason = "rank 0 takes up what arrives while it computes";
    const auto pieces = static_cast<double>(workload.pieces);
    const double others = workload.ranks - 1;
    const double each = pieces / (others + 1);
    const double work = std::ceil(each) * workload.compute;
    const double communication = pieces * others / (others + 1) * bytes * costs.per_byte;
    plan.limit = std::max(each * workload.compute, communication);
    plan.blocking = work + communication + 3 * costs.latency + others * costs.receive;
    plan.bound = communication > work ? Bound::bandwidth : Bound::computation;
    return gather;
}

}  // namespace lapwing
