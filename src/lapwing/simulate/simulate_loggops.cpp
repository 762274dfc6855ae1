#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/engine/direct_network.hpp"
#include "lapwing/simulate/run.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::simulate {
namespace {

auto network_of(const LogGOPS& costs) {
    return [&](std::size_t, std::size_t) { return DirectNetwork(costs); };
}

}  // namespace

Result simulate(const Collective& collective, const LogGOPS& machine, Observer* observer) {
    return run(collective, network_of(machine), observer);
}
Result simulate(CallSource& source, const LogGOPS& machine, Observer* observer) {
    return run(source, network_of(machine), observer);
}
Result simulate(const Graph& graph, const LogGOPS& machine, Observer* observer) {
    return run(graph, network_of(machine), observer);
}

}  // namespace lapwing::simulate
