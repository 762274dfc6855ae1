#include "lapwing/plan/evaluate/engine.hpp"

#include <algorithm>
#include <cstdint>

#include "lapwing/plan/evaluate/schedule_writer.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing {
namespace {

/// As many updates of shared links take the engine as long as all else about a message (counted
/// with `valgrind --tool=callgrind`).
constexpr double link_updates_per_message = 55;

/// Messages of all ranks.
double messages_of_all(const Workload& workload, const Candidate& candidate) {
    const auto count = static_cast<double>(candidate.messages.count());
    const auto ranks = static_cast<double>(workload.ranks);
    const auto peers = static_cast<double>(workload.peers);
    switch (workload.pattern) {
        case Pattern::stream:
            return 2 * count;
        case Pattern::multi:
        case Pattern::congested:
            return peers * count;
        case Pattern::collective:
            return ranks * peers * count * (workload.sizes_known ? 1 : 2);
        default:
            return ranks * peers * count;
    }
}

/// What a message costs where links are shared, in messages where they are not: about the least
/// that was counted, where messages come and go together.
double sharing_factor(const Workload& workload, const Candidate& candidate) {
    const auto ranks = static_cast<double>(workload.ranks);
    const auto peers = static_cast<double>(workload.peers);
    switch (workload.pattern) {
        case Pattern::congested:
            return 1 + peers / 8;
        case Pattern::collective:
        case Pattern::buckets:
            return candidate.messages.count() > 1 ? 1 + ranks * peers / 32 : 1 + peers / 8;
        default:
            return 1.4;
    }
}

simulate::MeasuredMachine machine_of(const LinkCosts& link, const std::optional<Topology>& topology,
                                     bool charge_receive_overhead) {
    return {{.between_nodes = simulate::tables_of(link),
             .topology = topology,
             .within_node = {},
             .strided = nullptr},
            {.topology = {}, .stride = {}, .charge_receive_overhead = charge_receive_overhead}};
}

}  // namespace

Engine::Engine(const LinkCosts& link, const std::optional<Topology>& topology)
    : nic_(link.nic),
      costs_(machine_of(link, topology, true)),
      machine_(machine_of(link, topology, false)) {}

double Engine::cost(const Workload& workload, const Candidate& candidate) const {
    const double messages = messages_of_all(workload, candidate);
    return nic_ == Nic::serialising ? messages : messages * sharing_factor(workload, candidate);
}

EngineResult Engine::run(const Workload& workload, const Candidate& candidate, double most) const {
    constexpr double tick = 1e-9 / static_cast<double>(simulate::MeasuredMachine::nanosecond);
    constexpr double unlimited = 1e15;
    const auto link_updates =
        static_cast<std::uint64_t>(std::min(most, unlimited) * link_updates_per_message);
    const auto result =
        simulate::simulate(write_schedule(workload, candidate, costs_), machine_, link_updates);
    return {.seconds = result.ended ? static_cast<double>(result.finish) * tick
                                    : std::numeric_limits<double>::infinity(),
            .cost = static_cast<double>(result.messages) +
                    static_cast<double>(result.link_updates) / link_updates_per_message};
}

}  // namespace lapwing
