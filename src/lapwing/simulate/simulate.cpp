#include "lapwing/simulate/simulate.hpp"

#include "lapwing/simulate/simulate_on_links.hpp"

namespace lapwing::simulate {
namespace {

Result simulate_graph(const Graph& graph, const MeasuredMachine& machine, Observer* observer,
                      std::uint64_t max_link_updates) {
    return machine.nic() == Nic::sharing
               ? simulate_sharing(graph, machine, observer, max_link_updates)
               : simulate_serialising(graph, machine, observer);
}

}  // namespace

Result simulate(const Collective& collective, const MeasuredMachine& machine, Observer* observer) {
    return machine.nic() == Nic::sharing ? simulate_sharing(collective, machine, observer)
                                         : simulate_serialising(collective, machine, observer);
}
Result simulate(CallSource& source, const MeasuredMachine& machine, Observer* observer) {
    return machine.nic() == Nic::sharing ? simulate_sharing(source, machine, observer)
                                         : simulate_serialising(source, machine, observer);
}
Result simulate(const Graph& graph, const MeasuredMachine& machine, Observer* observer) {
    return simulate_graph(graph, machine, observer, unlimited_link_updates);
}
Result simulate(const Graph& graph, const MeasuredMachine& machine,
                std::uint64_t max_link_updates) {
    return simulate_graph(graph, machine, nullptr, max_link_updates);
}

}  // namespace lapwing::simulate
