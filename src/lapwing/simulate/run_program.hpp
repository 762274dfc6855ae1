#pragma once

#include <cstddef>
#include <utility>

#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/machine.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/serialising_links.hpp"
#include "lapwing/simulate/links/sharing_links.hpp"

namespace lapwing::simulate {

/// Plays `program` to its end on a LogGOPS machine. `watch` is called with each `Interval` in which
/// a resource is busy.
template <class Program, class Ports, class Watch>
[[nodiscard]] Result run_program(Program& program, std::size_t ranks, Ports ports,
                                 const LogGOPS& costs, Watch watch) {
    Machine machine(costs, std::move(ports), ranks, program, NoLinks{}, watch);
    Result result = machine.run();
    program.check_ended();
    return result;
}

/// Plays `program` to its end on a machine as it was measured, with the links that it has; or until
/// it took more than `max_link_updates` at them.
template <class Program, class Ports, class Watch>
[[nodiscard]] Result run_program(Program& program, std::size_t ranks, Ports ports,
                                 const MeasuredMachine& costs, Watch watch,
                                 std::uint64_t max_link_updates = unlimited_link_updates) {
    const auto on = [&](auto links) {
        Machine machine(costs, std::move(ports), ranks, program, std::move(links), watch);
        Result result = machine.run(max_link_updates);
        if (result.ended) program.check_ended();
        return result;
    };
    const Topology::View topology(costs.topology(), costs.nodes(static_cast<Rank>(ranks)));
    if (costs.nic() == Nic::sharing) return on(SharingLinks(topology));
    return on(SerialisingLinks(topology, costs.credit()));
}

}  // namespace lapwing::simulate
