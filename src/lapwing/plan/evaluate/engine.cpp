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
    const auto count = static_cast<double>(candidate.messages.count());
    const auto ranks = static_cast<double>(workload.ranks);
    const auto peers = static_cast<double>(workload.peers);
    double messages = ranks * peers * count;
    // What a message costs where links are shared: about the least that was counted, where messages
    // come and go together.
    double shared = 1.4;
    switch (workload.pattern) {
        case Pattern::stream:
            messages = 2 * count;
            break;
        case Pattern::multi:
            messages = peers * count;
            break;
        case Pattern::congested:
            messages = peers * count;
            shared = 1 + peers / 8;
            break;
        case Pattern::collective:
        case Pattern::buckets:
            if (!workload.sizes_known) messages *= 2;
            shared = count > 1 ? 1 + ranks * peers / 32 : 1 + peers / 8;
            break;
        default:
            break;
    }
    return nic_ == Nic::serialising ? messages : messages * shared;
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
