// The result of a simulation: see lapwing.simulate and lapwing.replay.

#include "simulation.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <memory>

#include "lapwing/profile/placement.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace nb = nanobind;

namespace lapwing::python {
namespace {

using simulate::Time;

/// Ticks as an array that Python owns; on a measured machine they are fractions of nanoseconds.
nb::object rank_finish_ns(const Simulation& simulation) {
    const auto& finish = simulation.result.rank_finish;
    const auto give = [&](auto convert) {
        using Value = decltype(convert(Time{}));
        auto values = std::make_unique<Value[]>(finish.size());
        for (std::size_t i = 0; i < finish.size(); ++i) values[i] = convert(finish[i]);
        Value* const data = values.release();
        const nb::capsule owner(data,
                                [](void* held) noexcept { delete[] static_cast<Value*>(held); });
        return nb::cast(nb::ndarray<nb::numpy, Value, nb::ndim<1>>(data, {finish.size()}, owner));
    };
    if (simulation.nanosecond == 1) return give([](Time time) { return std::int64_t{time}; });
    return give([&](Time time) {
        return static_cast<double>(time) / static_cast<double>(simulation.nanosecond);
    });
}

nb::object in_ns(const Simulation& simulation, Time time) {
    if (simulation.nanosecond == 1) return nb::int_(time);
    return nb::float_(static_cast<double>(time) / static_cast<double>(simulation.nanosecond));
}

nb::object finish_ns(const Simulation& simulation) {
    return in_ns(simulation, simulation.result.finish);
}

/// The times of `rank_finish_ns`, without numpy.
nb::list finish_list_ns(const Simulation& simulation) {
    nb::list times;
    for (const Time time : simulation.result.rank_finish) times.append(in_ns(simulation, time));
    return times;
}

}  // namespace

simulate::MeasuredMachine::Options machine_options(simulate::Rank ranks_per_node,
                                                   const std::optional<std::string>& topology,
                                                   const std::optional<std::string>& placement) {
    simulate::MeasuredMachine::Options options{
        .ranks_per_node = ranks_per_node, .topology = {}, .stride = {}};
    if (topology) options.topology = simulate::Topology::from_text(*topology);
    if (placement) options.placement = Placement::from_text(*placement);
    return options;
}

void bind_simulation(nb::module_& module) {
    nb::class_<CollectiveTime>(module, "CollectiveTime",
                               "The predicted time of a collective on a measured machine.")
        .def_ro("seconds", &CollectiveTime::seconds, "Seconds.")
        .def_ro("low", &CollectiveTime::low,
                "Nine of ten measured times lie between this and `high`, seconds; both are "
                "`seconds` where the profile does not tell.")
        .def_ro("high", &CollectiveTime::high, "See `low`.");

    nb::class_<Simulation>(module, "Simulation", "How a schedule went.")
        .def_prop_ro("finish_ns", &finish_ns,
                     "Time at which the last rank ends, nanoseconds; an int on a LogGOPS machine.")
        .def_prop_ro(
            "rank_finish_ns", &rank_finish_ns,
            "Time at which each rank ends, nanoseconds. Each access makes a new array: keep it.")
        .def("finish_list_ns", &finish_list_ns, nb::sig("def finish_list_ns(self) -> list[float]"),
             "The same as a list, without numpy, which takes a while to load.")
        .def_prop_ro(
            "events", [](const Simulation& made) { return made.result.events; },
            "Number of operations done and messages received.")
        .def_prop_ro(
            "messages", [](const Simulation& made) { return made.result.messages; },
            "Messages received.")
        .def_ro("predicted", &Simulation::predicted,
                "What the collective takes with its local work; None of a schedule that was read "
                "and on a LogGOPS machine.")
        .def_ro("trace", &Simulation::trace,
                "The time line as a JSON document; None if it was not asked for.");
}

}  // namespace lapwing::python
