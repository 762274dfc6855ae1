// Playing programs: see lapwing.replay.

#include "lapwing/replay/replay.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/io/schedule_trace.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/record/recording.hpp"
#include "lapwing/replay/collective_algorithms.hpp"
#include "lapwing/replay/critical_path.hpp"
#include "lapwing/replay/exchange_sites.hpp"
#include "lapwing/replay/overlap.hpp"
#include "lapwing/replay/program_graph.hpp"
#include "lapwing/replay/program_tolerance.hpp"
#include "lapwing/replay/recorded_calls.hpp"
#include "lapwing/simulate/costs/loggops_text.hpp"
#include "record.hpp"
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
    double computes = 0;
    std::optional<replay::RankGrid> grid{};
    std::optional<replay::RankGrid> recorded_grid{};
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
                    .longest = replayed.longest,
                    .computes = replayed.computes};
        if (replayed.grid) {
            made.grid = replayed.grid->grown();
            made.recorded_grid = replayed.grid->recorded();
        }
        if (trace)
            made.simulation.trace =
                line.json(static_cast<Rank>(made.simulation.result.rank_finish.size()));
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
                                  std::optional<std::uint32_t> site,
                                  const std::vector<double>& shares) {
    const replay::Varied varied{parameter_of(parameter), site};
    return reading(recording.path(), [&] {
        return replay::program_tolerance(recording, Costs(machine), options, varied, shares);
    });
}

template <class Costs, class Machine>
replay::CriticalPath critical_path(const record::Recording& recording, const Machine& machine,
                                   const replay::Options& options) {
    return reading(recording.path(), [&] {
        replay::RecordedCalls calls(recording, options);
        return replay::critical_path(calls, Costs(machine), options.sites.count + 1);
    });
}

void bind_options(nb::module_& module) {
    nb::class_<replay::Options>(module, "ReplayOptions", "How a recorded program is played again.")
        .def_rw("overlaps", &replay::Options::overlaps,
                "How exchanges of some sites are overlapped.")
        .def(
            "__init__",
            [](replay::Options* made, std::string library, Algorithms algorithms,
               double computation, std::uint64_t ranks, std::uint32_t sites,
               std::vector<std::vector<std::uint32_t>> sites_of_ranks) {
                new (made) replay::Options{
                    .library = std::move(library),
                    .algorithms = std::move(algorithms),
                    .computation = computation,
                    .ranks = ranks,
                    .sites = {.count = sites, .of_ranks = std::move(sites_of_ranks)}};
            },
            nb::kw_only(), "library"_a, "algorithms"_a, "computation"_a, "ranks"_a, "sites"_a,
            "sites_of_ranks"_a,
            "library, algorithms and computation: as of lapwing.replay. ranks: likewise, 0 for as "
            "many as were recorded. sites: how many call "
            "sites there are; sites_of_ranks: of each rank, the site of each number in its "
            "records.");
}

/// Of what each dimension of a grid has, without those that it does not have.
template <class Value>
std::vector<Value> of_dimensions(const replay::RankGrid& grid, const std::array<Value, 3>& values) {
    std::size_t count = values.size();
    while (count > 1 && grid.sizes[count - 1] == 1) --count;
    return std::vector<Value>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
}

void bind_grid(nb::module_& module) {
    nb::class_<replay::RankGrid>(module, "RankGrid",
                                 "Ranks in a grid, in the order of MPI_Cart_create.")
        .def_prop_ro(
            "sizes", [](const replay::RankGrid& grid) { return of_dimensions(grid, grid.sizes); },
            "How many ranks there are in each dimension.")
        .def_prop_ro(
            "periodic",
            [](const replay::RankGrid& grid) { return of_dimensions(grid, grid.wraps); },
            "In which dimensions the last is beside the first.");
}

void bind_overlap(nb::module_& module) {
    nb::enum_<replay::Overlap::Side>(module, "OverlapSide", "Behind which computation.")
        .value("before", replay::Overlap::Side::before)
        .value("after", replay::Overlap::Side::after)
        .value("both", replay::Overlap::Side::both);
    nb::class_<replay::Overlap>(module, "Overlap", "How the exchanges of a site are overlapped.")
        .def(
            "__init__",
            [](replay::Overlap* made, replay::Overlap::Side side, std::uint32_t pieces,
               std::uint32_t window, std::uint64_t size_classes) {
                new (made) replay::Overlap{
                    .side = side, .pieces = pieces, .window = window, .size_classes = size_classes};
            },
            nb::kw_only(), "side"_a, "pieces"_a, "window"_a, "size_classes"_a,
            "pieces: of a collective, and of the computation beside it. window: of them, how many "
            "are under way at most, on both sides. size_classes: of messages, those of size class "
            "c "
            "where bit c is set.")
        .def_ro("side", &replay::Overlap::side, "Behind which computation.")
        .def_ro("pieces", &replay::Overlap::pieces, "In how many pieces a collective is cut.")
        .def_ro("window", &replay::Overlap::window, "How many are under way at most.");
    nb::class_<replay::ExchangeSite>(module, "ExchangeSite",
                                     "The exchanges that begin at one call site, of all ranks.")
        .def_ro("site", &replay::ExchangeSite::site, "Its number.")
        .def_prop_ro(
            "collective",
            [](const replay::ExchangeSite& site) -> std::optional<std::string> {
                if (!site.collective) return std::nullopt;
                return name_of(*site.collective);
            },
            "The collective; None: messages.")
        .def_ro("size_class", &replay::ExchangeSite::size_class,
                "Of messages: how many bits their bytes have.")
        .def_ro("ranks", &replay::ExchangeSite::ranks, "How many ranks have any.")
        .def_ro("count", &replay::ExchangeSite::count, "How many there are.")
        .def_ro("in_calls", &replay::ExchangeSite::in_calls, "Nanoseconds in their calls.")
        .def_ro("before", &replay::ExchangeSite::before, "Nanoseconds computed right before them.")
        .def_ro("after", &replay::ExchangeSite::after, "Nanoseconds computed right after them.");
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
        [](const record::Recording& recording, const replay::Options& options,
           const std::string& parameter, std::optional<std::uint32_t> site,
           const std::vector<double>& shares, const std::string& parameters) {
            return tolerate<replay::LogGOPSPathCosts>(recording,
                                                      simulate::loggops_from_text(parameters),
                                                      options, parameter, site, shares);
        },
        "recording"_a, "options"_a, nb::kw_only(), "parameter"_a, "site"_a.none(), "shares"_a,
        "parameters"_a,
        "How the time of a recorded program depends on L, G or o of a LogGOPS machine, of all "
        "messages or of those that a call site sends.");
    module.def(
        "tolerance",
        [](const record::Recording& recording, const replay::Options& options,
           const std::string& parameter, std::optional<std::uint32_t> site,
           const std::vector<double>& shares, const Profile& profile, Rank ranks_per_node) {
            return tolerate<replay::MeasuredPathCosts>(recording,
                                                       MeasuredMachine(profile, ranks_per_node),
                                                       options, parameter, site, shares);
        },
        "recording"_a, "options"_a, nb::kw_only(), "parameter"_a, "site"_a.none(), "shares"_a,
        "profile"_a, "ppn"_a,
        "How the time of a recorded program depends on L, G or o of a measured machine, of all "
        "messages or of those that a call site sends.");
}

void bind_critical_path(nb::module_& module) {
    nb::class_<replay::PathShare>(module, "PathShare",
                                  "What a call site's messages have of the longest path.")
        .def_ro("overhead", &replay::PathShare::overhead, "Nanoseconds of processors.")
        .def_ro("flight", &replay::PathShare::flight, "Nanoseconds under way.")
        .def_ro("overheads", &replay::PathShare::overheads, "How often o counts.")
        .def_ro("latencies", &replay::PathShare::latencies, "How often L counts.")
        .def_ro("gaps", &replay::PathShare::gaps, "How often G counts: bytes.");
    nb::class_<replay::CriticalPath>(module, "CriticalPath", "The longest path of a program.")
        .def_ro("time", &replay::CriticalPath::time, "Nanoseconds of all of it.")
        .def_ro("computed", &replay::CriticalPath::computed, "Nanoseconds of computation.")
        .def_ro("sites", &replay::CriticalPath::sites,
                "The shares of all call sites; the last is that of messages whose site is not "
                "known.");
    module.def(
        "critical_path",
        [](const record::Recording& recording, const replay::Options& options,
           const std::string& parameters) {
            return critical_path<replay::LogGOPSPathCosts>(
                recording, simulate::loggops_from_text(parameters), options);
        },
        "recording"_a, "options"_a, nb::kw_only(), "parameters"_a,
        "The longest path of a recorded program on a LogGOPS machine.");
    module.def(
        "critical_path",
        [](const record::Recording& recording, const replay::Options& options,
           const Profile& profile, Rank ranks_per_node) {
            return critical_path<replay::MeasuredPathCosts>(
                recording, MeasuredMachine(profile, ranks_per_node), options);
        },
        "recording"_a, "options"_a, nb::kw_only(), "profile"_a, "ppn"_a,
        "The longest path of a recorded program on a measured machine.");
}

template <class Program>
void bind_replay_of(nb::module_& module) {
    module.def(
        "replay",
        [](const Program& program, const replay::Options& options, const std::string& parameters,
           bool trace) {
            return play(program, simulate::loggops_from_text(parameters), options, 1, trace);
        },
        "program"_a, "options"_a, nb::kw_only(), "parameters"_a, "trace"_a,
        "Run a recorded program on a LogGOPS machine. Raises Deadlock, and ValueError for a record "
        "that cannot be read.");
    module.def(
        "replay",
        [](const Program& program, const replay::Options& options, const Profile& profile,
           Rank ranks_per_node, const std::optional<std::string>& topology,
           const std::optional<std::string>& placement, bool trace) {
            const MeasuredMachine machine(profile,
                                          machine_options(ranks_per_node, topology, placement));
            return play(program, machine, options, ranks_per_node, trace);
        },
        "program"_a, "options"_a, nb::kw_only(), "profile"_a, "ppn"_a, "topology"_a.none(),
        "placement"_a.none(), "trace"_a,
        "Run a recorded program on a measured machine. Raises Deadlock, and ValueError for a "
        "record that cannot be read.");
}

}  // namespace

void bind_replay(nb::module_& module) {
    bind_overlap(module);
    bind_options(module);
    bind_grid(module);
    nb::class_<Replay>(module, "Replay", "How a program went on another machine.")
        .def_ro("simulation", &Replay::simulation, "Its times on that machine.")
        .def_ro("recorded", &Replay::recorded,
                "Seconds from the first call to the last when it was recorded, of all ranks "
                "together; 0 of a schedule.")
        .def_ro("computed", &Replay::computed,
                "Seconds for which they computed then, or compute as the schedule says, of all "
                "ranks together.")
        .def_ro("longest", &Replay::longest,
                "Seconds of the rank that took longest when it was recorded; 0 of a schedule.")
        .def_ro("computes", &Replay::computes,
                "Seconds for which they compute when it is played, of all ranks together.")
        .def_ro("grid", &Replay::grid,
                "The grid of ranks that were played; None: as many as were recorded.")
        .def_ro("recorded_grid", &Replay::recorded_grid, "The same of the ranks recorded.");
    bind_replay_of<record::Recording>(module);
    bind_replay_of<AnySchedule>(module);
    bind_tolerance(module);
    bind_critical_path(module);
    module.def(
        "written_out",
        [](const record::Recording& recording, const replay::Options& options) {
            return reading(recording.path(), [&] {
                return AnySchedule("", replay::program_graph(recording, options));
            });
        },
        "recording"_a, "options"_a,
        "A recorded program as a schedule. Raises ValueError for a record that cannot be read, and "
        "for receives that a schedule cannot tell.");
    module.def(
        "exchange_sites",
        [](const record::Recording& recording, const replay::Options& options) {
            return reading(recording.path(),
                           [&] { return replay::exchange_sites(recording, options.sites); });
        },
        "recording"_a, "options"_a, "The call sites at which exchanges begin.");
    module.def("collective_libraries", &replay::CollectiveAlgorithms::libraries,
               "The MPI libraries whose choice of algorithms is known.");
}

}  // namespace lapwing::python
