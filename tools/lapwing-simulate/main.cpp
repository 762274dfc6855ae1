// The simulator as a native program: simulates a schedule from a file, or a collective.

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/goal.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/io/schedule_trace.hpp"
#include "lapwing/predict/operation_time.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/costs/loggops_text.hpp"
#include "lapwing/simulate/program/unroll.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace {

using lapwing::CollectiveTime;
using lapwing::simulate::CollectiveChoice;
using lapwing::simulate::MeasuredMachine;
using lapwing::simulate::Result;
using lapwing::simulate::Time;

/// The command line.
struct Options {
    std::string schedule;
    std::string parameters;
    std::string profile;
    std::uint32_t ranks_per_node = 1;
    std::string topology;
    std::string placement;
    std::string stride;
    CollectiveChoice choice;
    std::string size;
    std::string segment;
    std::vector<std::string> sizes;
    std::string write;
    std::string trace;
    bool json = false;
    bool timing = false;
};

/// Measures seconds from its construction.
class Watch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

  private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Appends a time in nanoseconds, with all its digits; `nanosecond`: ticks in one.
void append_ns(std::string& text, Time time, Time nanosecond) {
    std::array<char, 24> digits{};
    const auto whole =
        std::to_chars(digits.data(), digits.data() + digits.size(), time / nanosecond);
    text.append(digits.data(), whole.ptr);
    if (nanosecond == 1) return;
    const std::string rest = std::to_string(nanosecond + time % nanosecond);
    text += "." + rest.substr(1);
}

/// A number with as many digits as tell it from others.
std::string shortest(double number) {
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

/// The member `predicted` of a document, with an interval where there is one.
std::string predicted_json(const CollectiveTime& predicted) {
    std::string text = ",\n  \"predicted\": {\"seconds\": " + shortest(predicted.seconds);
    if (predicted.low != predicted.high)
        text += ", \"low\": " + shortest(predicted.low) + ", \"high\": " + shortest(predicted.high);
    return text + "}";
}

/// Prints one JSON document. Writes it at once, which is fast enough for a million ranks.
void print_json(const Result& result, Time nanosecond,
                const std::optional<CollectiveTime>& predicted) {
    std::string text = "{\n  \"lapwing\": \"simulate\",\n  \"finish_ns\": ";
    append_ns(text, result.finish, nanosecond);
    text += ",\n  \"events\": " + std::to_string(result.events) +
            ",\n  \"messages\": " + std::to_string(result.messages) +
            (predicted ? predicted_json(*predicted) : "") + ",\n  \"rank_finish_ns\": [";
    for (const auto finish : result.rank_finish) {
        if (text.back() != '[') text += ", ";
        append_ns(text, finish, nanosecond);
    }
    text += "]\n}\n";
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void print(const Result& result, Time nanosecond, const std::optional<CollectiveTime>& predicted) {
    std::size_t last = 0;
    while (result.rank_finish[last] != result.finish) ++last;
    std::string finish;
    append_ns(finish, result.finish, nanosecond);
    std::printf("finish    %s ns, rank %zu of %zu is last\n", finish.c_str(), last,
                result.rank_finish.size());
    std::printf("messages  %llu\n", static_cast<unsigned long long>(result.messages));
    std::printf("events    %llu\n", static_cast<unsigned long long>(result.events));
    if (!predicted) return;
    std::printf("predicted %.6g s", predicted->seconds);
    if (predicted->low != predicted->high)
        std::printf(", %.6g to %.6g s", predicted->low, predicted->high);
    std::printf("\n");
}

/// Simulates a schedule, and writes its time line where `--trace` asks for it.
template <class Schedule, class Machine>
Result simulate_schedule(const Options& options, const Schedule& schedule, const Machine& machine,
                         lapwing::ScheduleTrace trace) {
    const Watch simulating;
    Result result = simulate(schedule, machine, options.trace.empty() ? nullptr : &trace);
    if (options.timing) std::fprintf(stderr, "simulating  %.4f s\n", simulating.seconds());
    if (!options.trace.empty())
        lapwing::write_file(
            options.trace,
            trace.json(static_cast<lapwing::simulate::Rank>(result.rank_finish.size())));
    return result;
}

/// A machine that was measured, with what predictions need besides.
struct Measured {
    lapwing::Profile profile;
    MeasuredMachine::Options options;
    MeasuredMachine machine{profile, options};
};

/// Does what the command line asks for, on `machine`. `measured`: where that comes from, if it was
/// measured.
template <class Machine>
void run(const Options& options, const Machine& machine, const Measured* measured = nullptr) {
    constexpr Time nanosecond = Machine::nanosecond;
    Result result;
    std::optional<CollectiveTime> predicted;
    if (options.choice.operation.empty()) {
        const Watch reading;
        const auto graph = lapwing::load_goal(options.schedule);
        if (options.timing) std::fprintf(stderr, "reading     %.4f s\n", reading.seconds());
        if (!options.write.empty()) lapwing::write_file(options.write, lapwing::to_goal(graph));
        try {
            result = simulate_schedule(options, graph, machine,
                                       {nanosecond, options.ranks_per_node, graph.pairs});
        } catch (const lapwing::simulate::Deadlock& error) {
            throw lapwing::simulate::Deadlock(options.schedule + ": " + error.what());
        }
    } else {
        const auto collective = make_collective(options.choice);
        if (!options.write.empty())
            lapwing::write_file(options.write, lapwing::to_goal(unroll(*collective)));
        result =
            simulate_schedule(options, *collective, machine, {nanosecond, options.ranks_per_node});
        if (measured != nullptr)
            predicted = lapwing::collective_time(measured->profile, measured->machine,
                                                 measured->options, options.choice, result.finish);
    }
    options.json ? print_json(result, nanosecond, predicted) : print(result, nanosecond, predicted);
}

/// Fills in what follows from other options. Throws `std::invalid_argument` if they do not fit
/// together.
void complete(Options& options) {
    CollectiveChoice& choice = options.choice;
    if (choice.operation.empty() == options.schedule.empty())
        throw std::invalid_argument("give a SCHEDULE.goal or a --collective, one of the two");
    if (choice.operation.empty()) return;
    const auto algorithms = lapwing::simulate::collective_algorithms(choice.operation);
    if (choice.algorithm.empty()) choice.algorithm = algorithms.front();
    if (choice.ranks == 0) throw std::invalid_argument("a collective needs --ranks");
    using lapwing::tools::bytes;
    if (!options.size.empty()) choice.size = bytes(options.size);
    if (!options.segment.empty()) choice.segment = bytes(options.segment);
    for (const auto& size : options.sizes) choice.sizes.push_back(bytes(size));
}

/// Options for the machine.
void add_machine(CLI::App& app, Options& options) {
    app.add_option("--parameters", options.parameters,
                   "L, o, g, G, O in nanoseconds and S in bytes, whole numbers; those left out "
                   "are as in L=2500,o=1500,g=1000,G=6,O=0,S=65535");
    auto* const measured =
        app.add_option("--profile", options.profile,
                       "a machine's profile instead of parameters: its tables, and "
                       "messages that contend for interfaces")
            ->type_name("MACHINE.json")
            ->excludes("--parameters");
    app.add_option("--ppn", options.ranks_per_node,
                   "ranks on a node, which share its interfaces; with --profile")
        ->needs(measured)
        ->check(CLI::PositiveNumber);
    app.add_option(
           "--topology", options.topology,
           "connections of the nodes, instead of the profile's topology: flat, "
           "fat-tree:BELOW,UPLINKS[,NODES], "
           "torus:4x4x4, mesh:8x8, dragonfly:GROUPSxSWITCHESxNODES or "
           "dragonfly+:GROUPSxLEAVESxSPINESxNODES; options follow: "
           ",interfaces=K,rate=SHARE,hop=TIME; of a dragonfly ,local=K,global=K,detour=SHARE")
        ->type_name("SHAPE")
        ->needs(measured);
    app.add_option("--placement", options.placement,
                   "nodes of the ranks: consecutive, spread, round-robin, random:SEED, or a list "
                   "such as 0,7,16-31")
        ->type_name("ORDER|LIST")
        ->needs(measured);
    app.add_option("--stride", options.stride,
                   "bytes from one element of a message to the next; with --profile")
        ->type_name("BYTES")
        ->needs(measured);
}

/// Options that generate a collective.
void add_collective(CLI::App& app, Options& options) {
    CollectiveChoice& choice = options.choice;
    app.add_option("--collective", choice.operation,
                   "generate this collective instead of reading a schedule: " +
                       CLI::detail::join(lapwing::simulate::collective_operations(), ", "));
    app.add_option("--algorithm", choice.algorithm,
                   "algorithm of the collective; an unknown name lists all");
    app.add_option("--ranks", choice.ranks, "number of ranks of the collective")
        ->check(CLI::Range(1U, 1U << 26U));
    app.add_option(
           "--size", options.size,
           "bytes: the whole message of a bcast, reduce or allreduce, from each rank to each "
           "of an alltoall, a message of a barrier, the block of a rank of others; "
           "8, 64KB, 1MB")
        ->type_name("BYTES")
        ->default_str("1");
    app.add_option("--segment", options.segment, "bytes of a segment, for algorithms with segments")
        ->type_name("BYTES")
        ->default_str("8KB");
    app.add_option("--window", choice.window,
                   "messages in flight each way, for the staggered alltoall")
        ->capture_default_str();
    app.add_option("--group", choice.group, "ranks of a group, for the grouped bcast")
        ->capture_default_str();
    app.add_option("--radix", choice.radix,
                   "k of k-nomial trees and of Bruck's algorithm with several ports (k-bruck), at "
                   "least 2; number of chains")
        ->check(CLI::Range(2U, 1U << 26U))
        ->capture_default_str();
    app.add_option("--sizes", options.sizes, "gatherv and scatterv: the bytes of each rank")
        ->type_name("BYTES,…")
        ->delimiter(',');
}

/// Options for files and output.
void add_output(CLI::App& app, Options& options) {
    app.add_option("--write", options.write, "also write the schedule to this file, as GOAL")
        ->type_name("FILE.goal");
    app.add_option("--trace", options.trace,
                   "also write the time line to this file, for ui.perfetto.dev; up to " +
                       std::to_string(lapwing::ScheduleTrace::most) + " intervals")
        ->type_name("FILE.json");
    app.add_flag("--json", options.json, "print one JSON document");
    app.add_flag("--timing", options.timing,
                 "print the time of reading and simulating on standard error");
}

/// The machine of `--profile`, and of the options that belong to it.
Measured measured_machine(const Options& options) {
    MeasuredMachine::Options machine{
        .ranks_per_node = options.ranks_per_node, .topology = {}, .stride = {}};
    if (!options.topology.empty())
        machine.topology = lapwing::simulate::Topology::from_text(options.topology);
    if (!options.placement.empty())
        machine.placement = lapwing::Placement::from_text(options.placement);
    if (!options.stride.empty()) machine.stride = lapwing::tools::bytes(options.stride);
    return {lapwing::load_profile(options.profile), machine};
}

int run(int argc, char** argv) {
    CLI::App app{"Simulates a message schedule on a LogGOPS machine, or a measured one.",
                 "lapwing-simulate"};
    Options options;
    app.add_option("schedule", options.schedule, "a schedule in the GOAL text format")
        ->type_name("SCHEDULE.goal");
    add_machine(app, options);
    add_collective(app, options);
    add_output(app, options);
    try {
        app.parse(argc, argv);
        complete(options);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        throw std::invalid_argument(error.what());
    }
    if (options.profile.empty()) {
        run(options, lapwing::simulate::loggops_from_text(options.parameters));
    } else {
        const Measured measured = measured_machine(options);
        run(options, measured.machine, &measured);
    }
    return 0;
}

/// Prints what went wrong as one line, whatever it quotes, and returns `status`.
int complain(std::string said, int status) {
    for (char& c : said)
        if (static_cast<unsigned char>(c) < ' ') c = ' ';
    std::fprintf(stderr, "lapwing-simulate: %s\n", said.c_str());
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const lapwing::simulate::Deadlock& error) {
        return complain(error.what(), 1);
    } catch (const std::bad_alloc&) {
        return complain("there is not enough memory for this schedule", 1);
    } catch (const std::exception& error) {
        return complain(error.what(), 2);
    }
}
