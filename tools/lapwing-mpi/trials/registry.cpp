#include "trials/registry.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "lapwing/plan/names.hpp"
#include "lapwing/transport/partitioned/partitioned.hpp"
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
#ifdef LAPWING_OSHMEM
#include "lapwing/transport/shmem/shmem.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"
#endif
#ifdef LAPWING_UCX
#include "lapwing/transport/ucx/ucx_get.hpp"
#include "lapwing/transport/ucx/ucx_put.hpp"
#endif

namespace lapwing::tools {
namespace {

/// The trial of a pattern, for those of its workloads that `fits` accepts.
template <class... Over>
struct Entry {
    Pattern pattern;
    bool (*fits)(const Workload& workload);
    std::unique_ptr<Trial> (*make)(RankGroup& group, Over&... transport, const Workload& workload);
};

template <class T, class... Over>
std::unique_ptr<Trial> make(RankGroup& group, Over&... transport, const Workload& workload) {
    return std::make_unique<T>(group, transport..., workload);
}

bool any(const Workload& /*workload*/) { return true; }
bool fetches(const Workload& workload) { return workload.direction == Direction::fetch; }
bool produces(const Workload& workload) { return workload.direction == Direction::produce; }
bool waits(const Workload& workload) { return workload.dependence == Dependence::tight; }
bool waits_for_nothing(const Workload& workload) { return !waits(workload); }
bool knows_sizes(const Workload& workload) { return workload.sizes_known; }
bool knows_no_sizes(const Workload& workload) { return !workload.sizes_known; }

/// Every pattern whose messages go between two ranks, over a transport.
template <Transport T>
constexpr std::array<Entry<T>, 9> trials_over = {{
    {Pattern::stream, fetches, make<MultiReceiveTrial<T>, T>},
    {Pattern::stream, produces, make<CongestedPutTrial<T>, T>},
    {Pattern::congested, fetches, make<CongestedFetchTrial<T>, T>},
    {Pattern::congested, produces, make<CongestedPutTrial<T>, T>},
    {Pattern::multi, fetches, make<MultiReceiveTrial<T>, T>},
    {Pattern::multi, produces, make<MultiSendTrial<T>, T>},
    {Pattern::alltoall, any, make<ExchangeTrial<T>, T>},
    {Pattern::halo, waits, make<ExchangeTrial<T>, T>},
    {Pattern::halo, waits_for_nothing, make<HaloTrial<T>, T>},
}};

/// What has a transport of its own: collectives, and data with gaps.
constexpr std::array<Entry<>, 4> other_trials = {{
    {Pattern::stream, is_strided, make<StridedTrial>},
    {Pattern::collective, knows_sizes, make<AlltoallTrial>},
    {Pattern::collective, knows_no_sizes, make<AlltoallvTrial>},
    {Pattern::buckets, any, make<BucketsTrial>},
}};

/// The one of these that runs a workload; null if there is none.
template <class E, std::size_t n>
const E* find(std::span<const E, n> entries, const Workload& workload) {
    for (const E& entry : entries)
        if (entry.pattern == workload.pattern && entry.fits(workload)) return &entry;
    return nullptr;
}

/// Runs `action` on a pattern's trial over `transport`.
template <Transport T>
void run_over(RankGroup& group, T& transport, const Workload& workload,
              const std::function<void(Trial&)>& action) {
    const auto* const entry = find(std::span(trials_over<T>), workload);
    if (entry == nullptr)
        throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) +
                                    " cannot be run in direction " +
                                    std::string(name(workload.direction)));
    action(*entry->make(group, transport, workload));
}

/// Throws `std::invalid_argument` for what no trial runs.
void check(const Workload& workload, const std::string& transport) {
    const auto refuse = [&](const std::string& reason) {
        throw std::invalid_argument("pattern " + std::string(name(workload.pattern)) + reason);
    };
    if (workload.peers + 1 != workload.ranks && workload.pattern != Pattern::halo)
        refuse(" runs with all ranks: leave peers out, or start fewer ranks");
    const bool collective =
        !is_strided(workload) && find(std::span(other_trials), workload) != nullptr;
    if (collective && transport != "two-sided") refuse(" has a transport of its own, collectives");
    if (workload.dependence == Dependence::loose && workload.pattern != Pattern::halo)
        refuse(" runs with tight dependence alone; a halo with either");
    if (!is_strided(workload)) return;
    StridedTrial::check(workload);
    if (transport != "two-sided")
        throw std::invalid_argument("strided data is run over two-sided messages");
}

/// Bytes of the window that each rank needs for messages by put or get: the data it sends and the
/// data it receives, each beginning at a cache line.
std::size_t window_bytes(const Workload& workload) {
    return static_cast<std::size_t>(2 * peer_volume(workload) * workload.peers + 1024);
}

#ifdef LAPWING_OSHMEM
/// Messages that may be under way from one rank to another: all of 256 bytes or more.
std::size_t most_messages(const Workload& workload) {
    return static_cast<std::size_t>(
        std::clamp<std::uint64_t>(peer_volume(workload) / 256, 512, 1 << 15));
}
#endif

/// The same over UCX, where this build has it. Throws `std::invalid_argument` where it has not.
void run_over_ucx([[maybe_unused]] RankGroup& group, const std::string& transport,
                  [[maybe_unused]] const Workload& workload,
                  [[maybe_unused]] const std::function<void(Trial&)>& action) {
#ifdef LAPWING_UCX
    if (transport == "ucx-put") {
        UcxPut messages(group.communicator(), window_bytes(workload));
        run_over(group, messages, workload, action);
    } else {
        UcxGet messages(group.communicator(), window_bytes(workload));
        run_over(group, messages, workload, action);
    }
#else
    throw std::invalid_argument(
        "transport " + transport + ": " +
        (simulated_time ? "simulated clusters have no UCX"
                        : "this build has no UCX; install it (Debian: libucx-dev), build again"));
#endif
}

/// The same in partitions, where this MPI has them. Throws `std::invalid_argument` where it has
/// not.
void run_partitioned([[maybe_unused]] RankGroup& group, [[maybe_unused]] const Workload& workload,
                     [[maybe_unused]] const std::function<void(Trial&)>& action) {
    if (!has_partitioned())
        throw std::invalid_argument(
            simulated_time
                ? "transport partitioned: simulated clusters have no partitioned messages"
                : "transport partitioned: this MPI has no partitioned messages; MPICH 4 "
                  "and Open MPI 5 have them");
#ifdef LAPWING_HAS_PARTITIONED
    Partitioned messages(group.communicator());
    run_over(group, messages, workload, action);
#endif
}

}  // namespace

void with_trial(RankGroup& group, const Workload& workload, const std::string& transport,
                const std::function<void(Trial&)>& action) {
    check(workload, transport);
    if (const auto* const entry = find(std::span(other_trials), workload)) {
        action(*entry->make(group, workload));
    } else if (transport == "two-sided") {
        TwoSided messages(group.communicator());
        run_over(group, messages, workload, action);
    } else if (transport == "put") {
        NotifiedPut messages(group.communicator(), window_bytes(workload));
        run_over(group, messages, workload, action);
    } else if (transport == "get") {
        NotifiedGet messages(group.communicator(), window_bytes(workload));
        run_over(group, messages, workload, action);
    } else if (transport == "ucx-put" || transport == "ucx-get") {
        run_over_ucx(group, transport, workload, action);
    } else if (transport == "partitioned") {
        run_partitioned(group, workload, action);
    } else if (transport == "shmem") {
#ifdef LAPWING_OSHMEM
        if (group.size() != shmem_n_pes())
            throw std::invalid_argument("transport shmem: a stream is run by 2 ranks, not by " +
                                        std::to_string(shmem_n_pes()));
        SymmetricMemory memory(window_bytes(workload));
        Shmem messages(memory, most_messages(workload));
        run_over(group, messages, workload, action);
#else
        throw std::invalid_argument("transport shmem: it is run by lapwing-shmem");
#endif
    } else {
        throw std::invalid_argument("unknown transport \"" + transport +
                                    "\": it is two-sided, put, get, ucx-put, ucx-get, shmem or "
                                    "partitioned");
    }
}

}  // namespace lapwing::tools
