#include "lapwing/simulate/simulate.hpp"

#include "lapwing/simulate/simulate_on_links.hpp"

namespace lapwing::simulate {
namespace {

Result simulate_graph(const Graph& graph, const MeasuredMachine& machine, Observer* observer,
                      const Limits& limits) {
    return machine.nic() == Nic::sharing ? simulate_sharing(graph, machine, observer, limits)
                                         : simulate_serialising(graph, machine, observer, limits);
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
    return simulate_graph(graph, machine, observer, {});
}
Result simulate(const Graph& graph, const MeasuredMachine& machine, const Limits& limits) {
    return simulate_graph(graph, machine, nullptr, limits);
}

}  // namespace lapwing::simulate
