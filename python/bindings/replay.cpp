// Playing programs: see lapwing.replay.

#include "lapwing/replay/replay.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/io/schedule_trace.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/record/recording.hpp"
#include "lapwing/replay/collective_algorithms.hpp"
#include "lapwing/replay/program_graph.hpp"
#include "lapwing/replay/program_tolerance.hpp"
#include "lapwing/simulate/costs/loggops_text.hpp"
#include "replay.hpp"
#include "schedule.hpp"
#include "simulation.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using Algorithms = std::map<std::string, std::string>;
using simulate::MeasuredMachine;
using simulate::Rank;

/// How a recorded program went, when it was recorded and now.
struct Replay {
    Simulation simulation;
    double recorded = 0;
    double computed = 0;
    double longest = 0;
};

/// Calls `read` while other threads of Python run. Of a record that cannot be read it says the
/// file.
template <class Read>
auto reading(const std::string& path, const Read& read) {
    try {
        const nb::gil_scoped_release others_run;
        return read();
    } catch (const record::BadRecord& error) {
        throw nb::value_error((path + ": " + error.what()).c_str());
    }
}

template <class Machine>
replay::Replayed replay_on(const record::Recording& recording, const Machine& machine,
                           const replay::Options& options, simulate::Observer* observer) {
    return replay::replay(recording, machine, options, observer);
}
template <class Machine>
replay::Replayed replay_on(const AnySchedule& schedule, const Machine& machine,
                           const replay::Options& options, simulate::Observer* observer) {
    return schedule.written_out([&](const simulate::Graph& graph) {
        return replay::replay(graph, machine, options, observer);
    });
}

ScheduleTrace time_line(const record::Recording&, simulate::Time nanosecond, Rank ranks_per_node) {
    return {nanosecond, ranks_per_node};
}
ScheduleTrace time_line(const AnySchedule& schedule, simulate::Time nanosecond,
                        Rank ranks_per_node) {
    return {nanosecond, ranks_per_node, schedule.pairs()};
}

template <class Program, class Machine>
Replay play(const Program& program, const Machine& machine, const replay::Options& options,
            Rank ranks_per_node, bool trace) {
    return reading(program.path(), [&] {
        ScheduleTrace line = time_line(program, Machine::nanosecond, ranks_per_node);
        auto replayed = replay_on(program, machine, options, trace ? &line : nullptr);
        Replay made{.simulation = {.result = std::move(replayed.result),
                                   .nanosecond = Machine::nanosecond,
                                   .trace = {},
                                   .predicted = {}},
                    .recorded = replayed.recorded,
                    .computed = replayed.computed,
                    .longest = replayed.longest};
        if (trace) made.simulation.trace = line.json(static_cast<Rank>(program.ranks()));
        return made;
    });
}

replay::Parameter parameter_of(const std::string& name) {
    if (name == "L") return replay::Parameter::latency;
    if (name == "G") return replay::Parameter::gap;
    if (name == "o") return replay::Parameter::overhead;
    throw nb::value_error(("no parameter '" + name + "': L, G or o").c_str());
}

template <class Costs, class Machine>
replay::ProgramTolerance tolerate(const record::Recording& recording, const Machine& machine,
                                  const replay::Options& options, const std::string& parameter,
                                  const std::vector<double>& shares) {
    const replay::Parameter varied = parameter_of(parameter);
    return reading(recording.path(), [&] {
        return replay::program_tolerance(recording, Costs(machine), options, varied, shares);
    });
}

replay::Options options_of(std::string library, Algorithms algorithms, double computation) {
    return {.library = std::move(library),
            .algorithms = std::move(algorithms),
            .computation = computation};
}

void bind_tolerance(nb::module_& module) {
    nb::class_<replay::Curve::Piece>(module, "CurvePiece", "A straight piece of a curve.")
        .def_ro("begin", &replay::Curve::Piece::from,
                "Where it begins: nanoseconds by which the parameter is larger.")
        .def_ro("time", &replay::Curve::Piece::time, "The program's time there, nanoseconds.")
        .def_ro("slope", &replay::Curve::Piece::slope,
                "How often the parameter counts: nanoseconds for each of its nanoseconds.");
    nb::class_<replay::ProgramTolerance>(module, "Tolerance",
                                         "How a program's time depends on a parameter.")
        .def_ro("zones", &replay::ProgramTolerance::zones,
                "For each share, by how many nanoseconds the parameter may be larger until the "
                "time is that much longer; infinite where it never is.")
        .def_prop_ro(
            "pieces", [](const replay::ProgramTolerance& made) { return made.curve.pieces; },
            "The curve, piece by piece.")
        .def_prop_ro(
            "end", [](const replay::ProgramTolerance& made) { return made.curve.end; },
            "Where it ends, nanoseconds.");
    module.def(
        "tolerance",
        [](const record::Recording& recording, const std::string& parameter,
           const std::vector<double>& shares, const std::string& parameters, std::string library,
           Algorithms algorithms, double computation) {
            return tolerate<replay::LogGOPSPathCosts>(
                recording, simulate::loggops_from_text(parameters),
                options_of(std::move(library), std::move(algorithms), computation), parameter,
                shares);
        },
        "recording"_a, nb::kw_only(), "parameter"_a, "shares"_a, "parameters"_a, "library"_a,
        "algorithms"_a, "computation"_a,
        "How the time of a recorded program depends on L, G or o of a LogGOPS machine.");
    module.def(
        "tolerance",
        [](const record::Recording& recording, const std::string& parameter,
           const std::vector<double>& shares, const Profile& profile, Rank ranks_per_node,
           std::string library, Algorithms algorithms, double computation) {
            const MeasuredMachine machine(profile, ranks_per_node);
            return tolerate<replay::MeasuredPathCosts>(
                recording, machine,
                options_of(std::move(library), std::move(algorithms), computation), parameter,
                shares);
        },
        "recording"_a, nb::kw_only(), "parameter"_a, "shares"_a, "profile"_a, "ppn"_a, "library"_a,
        "algorithms"_a, "computation"_a,
        "How the time of a recorded program depends on L, G or o of a measured machine.");
}

template <class Program>
void bind_replay_of(nb::module_& module) {
    module.def(
        "replay",
        [](const Program& program, const std::string& parameters, std::string library,
           Algorithms algorithms, double computation, bool trace) {
            return play(program, simulate::loggops_from_text(parameters),
                        options_of(std::move(library), std::move(algorithms), computation), 1,
                        trace);
        },
        "program"_a, nb::kw_only(), "parameters"_a, "library"_a, "algorithms"_a, "computation"_a,
        "trace"_a,
        "Play a program on a LogGOPS machine. Raises Deadlock, and ValueError for a record that "
        "cannot be read.");
    module.def(
        "replay",
        [](const Program& program, const Profile& profile, Rank ranks_per_node,
           const std::optional<std::string>& topology, const std::optional<std::string>& placement,
           std::string library, Algorithms algorithms, double computation, bool trace) {
            const MeasuredMachine machine(profile,
                                          machine_options(ranks_per_node, topology, placement));
            return play(program, machine,
                        options_of(std::move(library), std::move(algorithms), computation),
                        ranks_per_node, trace);
        },
        "program"_a, nb::kw_only(), "profile"_a, "ppn"_a, "topology"_a.none(), "placement"_a.none(),
        "library"_a, "algorithms"_a, "computation"_a, "trace"_a,
        "Play a program on a measured machine. Raises Deadlock, and ValueError for a record that "
        "cannot be read.");
}

}  // namespace

void bind_replay(nb::module_& module) {
    nb::class_<Replay>(module, "Replay", "How a program went on another machine.")
        .def_ro("simulation", &Replay::simulation, "Its times on that machine.")
        .def_ro("recorded", &Replay::recorded,
                "Seconds from the first call to the last when it was recorded, of all ranks "
                "together; 0 of a schedule.")
        .def_ro("computed", &Replay::computed,
                "Seconds for which they computed then, or compute as the schedule says, of all "
                "ranks together.")
        .def_ro("longest", &Replay::longest,
                "Seconds of the rank that took longest when it was recorded; 0 of a schedule.");
    bind_replay_of<record::Recording>(module);
    bind_replay_of<AnySchedule>(module);
    bind_tolerance(module);
    module.def(
        "written_out",
        [](const record::Recording& recording, std::string library, Algorithms algorithms,
           double computation) {
            const auto options = options_of(std::move(library), std::move(algorithms), computation);
            return reading(recording.path(), [&] {
                return AnySchedule("", replay::program_graph(recording, options));
            });
        },
        "recording"_a, nb::kw_only(), "library"_a, "algorithms"_a, "computation"_a,
        "A recorded program as a schedule. Raises ValueError for a record that cannot be read, and "
        "for receives that a schedule cannot tell.");
    module.def("collective_libraries", &replay::CollectiveAlgorithms::libraries,
               "The MPI libraries whose choice of algorithms is known.");
}

}  // namespace lapwing::python
