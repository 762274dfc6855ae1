#pragma once

#include <cstddef>
#include <utility>

#include "lapwing/simulate/loggops.hpp"
#include "lapwing/simulate/machine.hpp"
#include "lapwing/simulate/measured.hpp"
#include "lapwing/simulate/result.hpp"
#include "lapwing/simulate/serialising_links.hpp"
#include "lapwing/simulate/sharing_links.hpp"
#include "lapwing/simulate/time.hpp"

namespace lapwing::simulate {

/// Plays `program` to its end on a LogGOPS machine. `watch` is called with each `Interval` in which
/// a resource is busy.
template <class Program, class Ports, class Watch>
[[nodiscard]] Result play(Program& program, std::size_t ranks, Ports ports, const LogGOPS& costs,
                          Watch watch) {
    Machine machine(costs, std::move(ports), ranks, program, NoLinks{}, watch);
    Result result = machine.run();
    program.check_ended();
    return result;
}

/// Plays `program` to its end on a machine as it was measured, with the links that it has; or until
/// it took more than `most_looks` at them.
template <class Program, class Ports, class Watch>
[[nodiscard]] Result play(Program& program, std::size_t ranks, Ports ports, const Measured& costs,
                          Watch watch, std::uint64_t most_looks = any_looks) {
    const auto on = [&](auto links) {
        Machine machine(costs, std::move(ports), ranks, program, std::move(links), watch);
        Result result = machine.run(most_looks);
        if (result.ended) program.check_ended();
        return result;
    };
    const Topology::View topology(costs.topology(), costs.nodes(static_cast<Rank>(ranks)));
    if (costs.nic() == Nic::sharing) return on(SharingLinks(topology));
    return on(SerialisingLinks(topology, costs.credit()));
}

}  // namespace lapwing::simulate
