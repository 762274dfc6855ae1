// Running schedules from Python: see lapwing.simulate.

#include "simulate.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/io/goal.hpp"
#include "lapwing/io/schedule_trace.hpp"
#include "lapwing/predict/operation_time.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/record/mapped_file.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/costs/loggops_text.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "schedule.hpp"
#include "simulation.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using simulate::CollectiveChoice;
using simulate::MeasuredMachine;
using simulate::Rank;

AnySchedule read(const std::string& path) {
    try {
        const nb::gil_scoped_release others_run;
        return {path, load_goal(path)};
    } catch (const std::runtime_error& error) {
        throw nb::value_error(error.what());
    }
}

AnySchedule generate(std::string operation, std::string algorithm, Rank ranks, std::uint64_t size,
                     std::uint64_t segment, Rank window, Rank group, std::uint32_t radix,
                     std::vector<std::uint64_t> sizes) {
    return AnySchedule(CollectiveChoice{.operation = std::move(operation),
                                        .algorithm = std::move(algorithm),
                                        .ranks = ranks,
                                        .size = size,
                                        .segment = segment,
                                        .window = window,
                                        .group = group,
                                        .radix = radix,
                                        .sizes = std::move(sizes)});
}

template <class Costs>
Simulation run_schedule(const AnySchedule& schedule, const Costs& costs, Rank ranks_per_node,
                        bool trace) {
    const nb::gil_scoped_release others_run;
    Simulation made;
    made.nanosecond = Costs::nanosecond;
    if (!trace) {
        made.result = schedule.play(costs, nullptr);
        return made;
    }
    ScheduleTrace line(Costs::nanosecond, ranks_per_node, schedule.pairs());
    made.result = schedule.play(costs, &line);
    made.trace = line.json(schedule.ranks());
    return made;
}

/// Runs a schedule on the machine of `profile`.
Simulation run_measured(const AnySchedule& schedule, const Profile& profile,
                        const MeasuredMachine::Options& options, bool trace) {
    const MeasuredMachine machine(profile, options);
    Simulation made = run_schedule(schedule, machine, options.ranks_per_node, trace);
    if (const CollectiveChoice* const choice = schedule.choice())
        made.predicted = collective_time(profile, machine, options, *choice, made.result.finish);
    return made;
}

}  // namespace

void bind_simulate(nb::module_& module) {
    nb::exception<simulate::Deadlock>(module, "Deadlock", PyExc_RuntimeError);

    nb::class_<AnySchedule>(module, "Schedule", "What each rank sends, receives and computes.")
        .def_static("read", &read, "path"_a,
                    "The schedule in a GOAL file, text or binary. Raises ValueError with the place "
                    "that is malformed.")
        .def_static(
            "generate", &generate, nb::kw_only(), "operation"_a, "algorithm"_a, "ranks"_a, "size"_a,
            "segment"_a, "window"_a, "group"_a, "radix"_a, "sizes"_a,
            "The schedule of a collective. Raises ValueError for what is unknown or impossible.")
        .def_prop_ro("ranks", &AnySchedule::ranks, "The number of ranks.")
        .def_prop_ro("path", &AnySchedule::path, "Its file; empty if it was generated.")
        .def("to_goal", &AnySchedule::to_goal, "The schedule in the GOAL text format.");

    bind_simulation(module);

    module.def(
        "simulate",
        [](const AnySchedule& schedule, const std::string& parameters, bool trace) {
            return run_schedule(schedule, simulate::loggops_from_text(parameters), 1, trace);
        },
        "schedule"_a, nb::kw_only(), "parameters"_a, "trace"_a,
        "Run a schedule on a LogGOPS machine. Raises Deadlock, which says what waits for what.");
    module.def(
        "simulate",
        [](const AnySchedule& schedule, const Profile& profile, Rank ranks_per_node,
           const std::optional<std::string>& topology, const std::optional<std::string>& placement,
           std::optional<std::uint64_t> stride, bool trace) {
            MeasuredMachine::Options options = machine_options(ranks_per_node, topology, placement);
            options.stride = stride;
            return run_measured(schedule, profile, options, trace);
        },
        "schedule"_a, nb::kw_only(), "profile"_a, "ppn"_a, "topology"_a.none(),
        "placement"_a.none(), "stride"_a.none(), "trace"_a,
        "Run a schedule on a measured machine. Raises Deadlock, which says what waits for what.");
    module.def(
        "is_goal",
        [](const std::string& path) {
            try {
                return lapwing::is_goal(record::MappedFile(path).bytes());
            } catch (const std::runtime_error& error) {
                throw nb::value_error(error.what());
            }
        },
        "path"_a,
        "Whether a file is a GOAL schedule, by its content. Raises ValueError if it cannot be "
        "read.");
    module.def("collective_algorithms", &simulate::collective_algorithms, "operation"_a,
               "The algorithms of a collective, the plainest first. Raises ValueError for an "
               "unknown one.");
}

}  // namespace lapwing::python
