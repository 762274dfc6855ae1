#include "lapwing/simulate/engine/link_network.hpp"
#include "lapwing/simulate/links/serialising_links.hpp"
#include "lapwing/simulate/run.hpp"
#include "lapwing/simulate/simulate_on_links.hpp"

namespace lapwing::simulate {
namespace {

auto serialising_network(const MeasuredMachine& machine) {
    return [&](std::size_t ranks, std::size_t pairs) {
        const Topology::View topology(machine.topology(), machine.nodes(static_cast<Rank>(ranks)));
        return LinkNetwork(machine, SerialisingLinks(topology, machine.credit()), pairs, ranks);
    };
}

}  // namespace

Result simulate_serialising(const Collective& collective, const MeasuredMachine& machine,
                            Observer* observer) {
    return run(collective, serialising_network(machine), observer);
}
Result simulate_serialising(const Graph& graph, const MeasuredMachine& machine,
                            Observer* observer) {
    return run(graph, serialising_network(machine), observer);
}

}  // namespace lapwing::simulate
