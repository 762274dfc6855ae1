#include "lapwing/simulate/engine/link_network.hpp"
#include "lapwing/simulate/links/sharing_links.hpp"
#include "lapwing/simulate/run.hpp"
#include "lapwing/simulate/simulate_on_links.hpp"

namespace lapwing::simulate {
namespace {

auto sharing_network(const MeasuredMachine& machine) {
    return [&](std::size_t ranks, std::size_t pairs) {
        const Topology::View topology(machine.topology(), machine.nodes(static_cast<Rank>(ranks)));
        return LinkNetwork(machine, SharingLinks(topology), pairs, ranks);
    };
}

}  // namespace

Result simulate_sharing(const Collective& collective, const MeasuredMachine& machine,
                        Observer* observer) {
    return run(collective, sharing_network(machine), observer);
}
Result simulate_sharing(const Graph& graph, const MeasuredMachine& machine, Observer* observer,
                        std::uint64_t max_link_updates) {
    return run(graph, sharing_network(machine), observer, max_link_updates);
}

}  // namespace lapwing::simulate
