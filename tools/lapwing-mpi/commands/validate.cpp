#include "commands/validate.hpp"

#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "commands/call_timing.hpp"
#include "lapwing/calibrate/environment/scheduler_wait.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "results/validate_json.hpp"
#include "support/command.hpp"
#include "support/run_description.hpp"

namespace lapwing::tools {
namespace {

/// The operations and sizes that "bcast:8,64" asks for.
std::vector<std::pair<std::string, std::uint64_t>> sizes_of(const std::string& words) {
    constexpr std::uint64_t largest = std::uint64_t{1} << 30;
    const std::size_t colon = words.find(':');
    const auto wrong = [&](const std::string& reason) {
        return std::invalid_argument("--time " + words + ": " + reason);
    };
    std::vector<std::pair<std::string, std::uint64_t>> all;
    std::istringstream sizes(colon == std::string::npos ? "" : words.substr(colon + 1));
    for (std::string text; std::getline(sizes, text, ',');) {
        std::uint64_t size = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data(), end, size);
        if (error != std::errc{} || stop != end || size > largest)
            throw wrong("'" + text + "' is no size");
        all.emplace_back(words.substr(0, colon), size);
    }
    if (all.empty()) throw wrong("no sizes");
    return all;
}

/// The operations that were asked for, by words such as "bcast:8,64". Strided ones come twice: with
/// a derived type and packed by hand.
std::vector<CallTiming> calls_of(const std::vector<std::string>& wanted,
                                 std::optional<std::uint64_t> stride) {
    std::vector<CallTiming> calls;
    for (const auto& words : wanted)
        for (const auto& [operation, size] : sizes_of(words)) {
            calls.emplace_back(CallChoice{operation, size, stride, false});
            if (stride) calls.emplace_back(CallChoice{operation, size, stride, true});
        }
    return calls;
}

/// Times all of them, each to `accuracy` or for `budget` seconds. They are timed in rounds while
/// the environment is not comparable, so that a bad spell of the machine meets each of them a
/// little, and none fully.
void time_all(std::vector<CallTiming>& calls, MPI_Comm ranks, WantedEnvironment& environment,
              double accuracy, double budget) {
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    const auto done = [](const CallTiming& call) { return call.done(); };
    const auto visit = [&](CallTiming& call) {
        const auto so_far = std::count_if(calls.begin(), calls.end(), done);
        const CallChoice& choice = call.choice();
        if (rank == 0)
            report_progress(static_cast<double>(so_far) / static_cast<double>(calls.size()),
                            choice.operation + ", " + std::to_string(choice.size) + " bytes");
        call.visit(ranks, environment, accuracy, budget);
    };
    for (CallTiming& call : calls) visit(call);
    while (!std::all_of(calls.begin(), calls.end(), done) && environment.wait())
        for (CallTiming& call : calls)
            if (!call.done() && environment.wait()) visit(call);
}

/// A call as the result has it. `asked`: whether an environment was asked for.
TimedCall timed_call(const CallTiming& call, bool asked) {
    const CallChoice& choice = call.choice();
    TimedCall timed{choice.operation, choice.size, estimate(call.samples()), {}, {}};
    if (choice.stride) timed.packed = choice.packed;
    if (asked) timed.comparable = call.comparable();
    return timed;
}

/// The environment that "syscall_seconds=9e-6:1.12" and the like ask for.
Environment environment_of(const std::vector<std::string>& words) {
    Environment environment;
    for (const auto& text : words) {
        Indicator indicator;
        const std::size_t equals = text.find('=');
        indicator.name = text.substr(0, equals);
        std::istringstream numbers(equals == std::string::npos ? "" : text.substr(equals + 1));
        char colon = 0;
        numbers >> indicator.value >> colon >> indicator.tolerance;
        if (!numbers || colon != ':' || indicator.value <= 0 || indicator.tolerance < 1)
            throw std::invalid_argument("--environment " + text +
                                        ": NAME=SECONDS:TOLERANCE is needed");
        environment.indicators.push_back(std::move(indicator));
    }
    return environment;
}

}  // namespace

void ValidateCommand::run() const {
    // In the simulator a new communicator's first message is a broadcast in it, of four bytes and
    // by the algorithm that is forced. Some algorithms leave messages behind if there is so little
    // to send, and the next broadcast takes them for its own. Nobody else sends in
    // MPI_COMM_WORLD.
    std::optional<Communicator> own;
    if (!simulated_time) own.emplace();
    MPI_Comm ranks = own ? own->get() : MPI_COMM_WORLD;
    ValidateResult result;
    // The description takes collective operations, and some of the simulator's algorithms fail for
    // other messages than those that are timed.
    if (!simulated_time) {
        const RunDescription here;
        result.machine = here.fields();
        result.warnings = here.warnings();
    }
    const SchedulerWait preempted;
    WantedEnvironment environment(ranks, environment_of(wanted_environment_), wait_);
    std::vector<CallTiming> calls = calls_of(wanted_, stride_);
    time_all(calls, ranks, environment, accuracy_, seconds_);
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    if (rank != 0) return;

    for (const CallTiming& call : calls)
        result.calls.push_back(timed_call(call, environment.wanted()));
    const auto elsewhere = std::count_if(calls.begin(), calls.end(),
                                         [](const CallTiming& call) { return !call.comparable(); });
    if (elsewhere > 0)
        result.warnings.push_back(
            "the ranks' processors were not as far from each other as in the "
            "profile, or not as undisturbed (in " +
            std::to_string(elsewhere) + " of " + std::to_string(calls.size()) + " timings)");
    result.preempted = preempted.share();
    write_file(output_, validate_json(result));
}

}  // namespace lapwing::tools
