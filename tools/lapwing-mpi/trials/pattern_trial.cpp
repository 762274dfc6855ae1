#include "trials/pattern_trial.hpp"

#include <stdexcept>
#include <string>

#include "lapwing/plan/grid_rows.hpp"
#include "lapwing/plan/words.hpp"
#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"
#include "trials/alltoall.hpp"
#include "trials/alltoallv.hpp"
#include "trials/buckets.hpp"
#include "trials/congested_fetch.hpp"
#include "trials/congested_put.hpp"
#include "trials/exchange.hpp"
#include "trials/halo.hpp"
#include "trials/multi_receive.hpp"
#include "trials/multi_send.hpp"
#include "trials/strided.hpp"

namespace lapwing::tools {
namespace {

using Action = std::function<void(Trial&)>;

/// A rank's neighbours, as many as the workload says: in a pair, a ring, or a grid without borders.
PeerSequence neighbours(const Workload& workload, int rank) {
    const auto ranks = static_cast<int>(workload.ranks);
    switch (workload.peers) {
        case 1:
            if (ranks == 2) return ring_sequence(rank, ranks);
            break;
        case 2:
            return ring_sequence(rank, ranks);
        case 4:
            if (const auto rows = static_cast<int>(grid_rows(workload.ranks)); rows > 0)
                return torus_sequence(rank, rows, ranks / rows);
            throw std::invalid_argument("halo: " + std::to_string(ranks) +
                                        " ranks are no grid of 3 by 3 or more: take 2 peers");
        default:
            break;
    }
    throw std::invalid_argument(
        "halo: a rank has 2 neighbours (a ring) or 4 (a grid), and 1 where there are 2 ranks, "
        "not " +
        std::to_string(workload.peers));
}

void with(Trial&& trial, const Action& action) { action(trial); }

[[noreturn]] void refuse(const Workload& workload) {
    throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) +
                                " cannot be run in direction " +
                                std::string(name(workload.direction)));
}

/// Patterns made of messages between two ranks.
template <Transport T>
void with_messages(RankGroup& group, const Workload& workload, T& transport, const Action& action) {
    const std::uint64_t part = peer_volume(workload);
    const std::uint64_t grain = workload.grain;
    const bool produce = workload.direction == Direction::produce;
    const int rank = group.rank();
    switch (workload.pattern) {
        case Pattern::stream:
        case Pattern::congested:
            if (produce) return with(CongestedPutTrial(group, transport, part, grain), action);
            if (workload.direction == Direction::both) refuse(workload);
            return with(CongestedFetchTrial(group, transport, part, grain), action);
        case Pattern::multi:
            if (produce) return with(MultiSendTrial(group, transport, part, grain), action);
            if (workload.direction == Direction::both) refuse(workload);
            return with(MultiReceiveTrial(group, transport, part, grain), action);
        case Pattern::halo: {
            PeerSequence around = neighbours(workload, rank);
            if (workload.dependence == Dependence::loose)
                return with(HaloTrial(group, transport, around, part, grain, workload.balanced),
                            action);
            const auto sequence = [&](bool) { return around; };
            return with(ExchangeTrial(group, transport, workload, sequence, false), action);
        }
        default: {
            const auto sequence = [&](bool staggered) {
                return alltoall_sequence(rank, group.size(), staggered);
            };
            return with(ExchangeTrial(group, transport, workload, sequence, true), action);
        }
    }
}

/// Bytes of a window that each rank needs.
std::size_t window_bytes(const Workload& workload) {
    // What is sent and what is received, each at the start of a cache line.
    return static_cast<std::size_t>(2 * peer_volume(workload) * workload.peers + 1024);
}

}  // namespace

void with_pattern_trial(RankGroup& group, const Workload& workload, const std::string& transport,
                        const Action& action) {
    if (workload.peers + 1 != workload.ranks && workload.pattern != Pattern::halo)
        throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) +
                                    " runs with all ranks: leave peers out, or start fewer ranks");
    const bool collective =
        workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets;
    if (collective && transport != "two-sided")
        throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) +
                                    " has a transport of its own, collectives");
    if (workload.dependence == Dependence::loose && workload.pattern != Pattern::halo)
        throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) +
                                    " runs with tight dependence alone; a halo with either");
    if (is_strided(workload)) {
        StridedTrial::check(workload);
        if (transport != "two-sided")
            throw std::invalid_argument("strided data is run over two-sided messages");
        with(StridedTrial(group, workload), action);
    } else if (!workload.sizes_known) {
        with(AlltoallvTrial(group, workload.volume, workload.grain, workload.direction), action);
    } else if (workload.pattern == Pattern::collective) {
        with(AlltoallTrial(group, workload.volume, workload.grain, workload.direction), action);
    } else if (workload.pattern == Pattern::buckets) {
        with(BucketsTrial(group, workload.volume, workload.grain), action);
    } else if (transport == "two-sided") {
        TwoSided messages(group.communicator());
        with_messages(group, workload, messages, action);
    } else if (transport == "put") {
        NotifiedPut messages(group.communicator(), window_bytes(workload));
        with_messages(group, workload, messages, action);
    } else if (transport == "get") {
        NotifiedGet messages(group.communicator(), window_bytes(workload));
        with_messages(group, workload, messages, action);
    } else {
        throw std::invalid_argument("unknown transport \"" + transport +
                                    "\": it is two-sided, put or get");
    }
}

}  // namespace lapwing::tools
