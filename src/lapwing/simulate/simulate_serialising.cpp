#include <utility>

#include "lapwing/simulate/costs/placed_machine.hpp"
#include "lapwing/simulate/engine/link_network.hpp"
#include "lapwing/simulate/links/routes.hpp"
#include "lapwing/simulate/links/serialising_links.hpp"
#include "lapwing/simulate/links/topology.hpp"
#include "lapwing/simulate/run.hpp"
#include "lapwing/simulate/simulate_on_links.hpp"

namespace lapwing::simulate {
namespace {

auto plain_network(const MeasuredMachine& machine) {
    return [&](std::size_t ranks, std::size_t pairs) {
        const Topology::View view(machine.topology(), machine.nodes(static_cast<Rank>(ranks)));
        return LinkNetwork(machine, SerialisingLinks(view, machine.credit()), pairs, ranks);
    };
}
auto routed_network(const MeasuredMachine& machine) {
    return [&](std::size_t ranks, std::size_t pairs) {
        Routes routes(machine.topology(), machine.nodes(static_cast<Rank>(ranks)));
        return LinkNetwork(PlacedMachine(machine, static_cast<Rank>(ranks)),
                           SerialisingLinks(std::move(routes), machine.credit()), pairs, ranks);
    };
}

/// `more`: further arguments of `run`.
template <class Schedule, class... More>
Result run_serialising(Schedule& schedule, const MeasuredMachine& machine, Observer* observer,
                       More... more) {
    return machine.topology().plain() ? run(schedule, plain_network(machine), observer, more...)
                                      : run(schedule, routed_network(machine), observer, more...);
}

}  // namespace

Result simulate_serialising(const Collective& collective, const MeasuredMachine& machine,
                            Observer* observer) {
    return run_serialising(collective, machine, observer);
}
Result simulate_serialising(CallSource& source, const MeasuredMachine& machine,
                            Observer* observer) {
    return run_serialising(source, machine, observer);
}
Result simulate_serialising(const Graph& graph, const MeasuredMachine& machine, Observer* observer,
                            const Limits& limits) {
    return run_serialising(graph, machine, observer, limits);
}

}  // namespace lapwing::simulate
