#include "commands/validate.hpp"

#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "lapwing/calibrate/benchmarks/collective_call.hpp"
#include "lapwing/calibrate/environment/scheduler_wait.hpp"
#include "lapwing/calibrate/ranks/timed_start.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "support/command.hpp"
#include "support/run_description.hpp"
#include "support/same_surroundings.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t fewest = 9;     ///< samples on a real machine
constexpr double long_enough = 2e-3;  ///< seconds of a sample of several in turn
constexpr double most_away = 50e-3;   ///< seconds among others before something else is timed

/// What is known of one operation of one size; the same on all ranks.
struct Timing {
    std::vector<double> samples;    ///< seconds, where the processors should be
    std::vector<double> elsewhere;  ///< and where not
    double spent = 0;               ///< seconds on `samples`
    bool done = false;

    /// Whether enough of it was timed where the processors should be.
    [[nodiscard]] bool in_place() const { return samples.size() >= fewest || elsewhere.empty(); }
    /// Those that count.
    [[nodiscard]] const std::vector<double>& counting() const {
        constexpr std::size_t few = 3;
        return in_place() || samples.size() >= few ? samples : elsewhere;
    }
};

/// Times one operation of one size; all ranks do together.
class CallTiming {
  public:
    CallTiming(const CallChoice& choice, MPI_Comm ranks, SameSurroundings& surroundings,
               Timing& timing)
        : call_(choice, ranks), start_(ranks), surroundings_(surroundings), timing_(timing) {}

    /// Adds to the timing until it is known to `accuracy`, or `budget` seconds are spent on it.
    /// Where the processors are not as they should be others come first. Simulated time is the same
    /// each time but the first, in which some choices of algorithms look at who shares a node.
    void visit(double accuracy, double budget) {
        if (simulated_time) {
            sample(1);
            timing_.samples = {sample(1)};
            timing_.done = true;
            return;
        }
        // What runs once a program waits for everyone, each time after one that warms up. Messages
        // there and back come in turn, as in the calibration.
        const bool in_turn = call_.trips() > 1;
        double once = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 3; ++i) once = std::min(once, sample(in_turn ? 8 : 1));
        const double enough = std::clamp(long_enough / std::max(once, 1e-9), 2.0, 1000.0);
        const int repetitions = in_turn ? static_cast<int>(enough) : 1;
        double away = 0;  // seconds
        while (!timing_.done && (away < most_away || timing_.elsewhere.size() < fewest)) {
            const double start = now();
            const bool before = surroundings_.reached();
            const double seconds = sample(repetitions);
            const bool there = surroundings_.reached() && before;
            (there ? timing_.samples : timing_.elsewhere).push_back(seconds);
            // The samples are the same everywhere, the time spent is not.
            (there ? timing_.spent : away) += start_.latest(now() - start);
            timing_.done = timing_.samples.size() >= fewest &&
                           (timing_.spent >= budget || estimate(timing_.samples).error <= accuracy);
        }
        surroundings_.waited(away);
    }

  private:
    /// Seconds of the mean of some in turn.
    double sample(int repetitions) {
        const auto timed = [&] {
            for (int i = 0; i < repetitions; ++i) call_();
        };
        const double seconds = simulated_time ? start_.time(timed) : start_.time(timed, call_);
        return seconds / repetitions / call_.trips();
    }

    CollectiveCall call_;
    TimedStart start_;
    SameSurroundings& surroundings_;
    Timing& timing_;
};

/// What runs here, and what makes its timings doubtful; nothing where all is simulated. All ranks
/// call it.
Json description() {
    Json json = {{"machine", Json::object()}, {"warnings", Json::array()}};
    // It is found out by collective operations, and some of the simulator's algorithms fail for
    // other messages than what is timed.
    if (simulated_time) return json;
    const RunDescription machine;
    for (const auto& [name, value] : machine.fields()) json["machine"][name] = value;
    json["warnings"] = machine.warnings();
    return json;
}

/// What "bcast:8,64" asks for.
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

}  // namespace

void ValidateCommand::run() const {
    // In the simulator a new communicator's first message is a broadcast in it, of four bytes and
    // by the algorithm that is forced. Some leave messages behind where there is so little to send,
    // and the next broadcast takes them for its own. Nobody else sends there.
    std::optional<Communicator> own;
    if (!simulated_time) own.emplace();
    MPI_Comm ranks = own ? own->get() : MPI_COMM_WORLD;
    int rank = 0;
    MPI_Comm_rank(ranks, &rank);
    Json json = description();
    const SchedulerWait preempted;
    SameSurroundings surroundings(ranks, asked_, wait_);
    std::vector<CallChoice> choices;
    for (const auto& words : wanted_)
        for (const auto& [operation, size] : sizes_of(words)) {
            choices.push_back({operation, size, stride_, false});
            if (stride_) choices.push_back({operation, size, stride_, true});
        }
    std::vector<Timing> timings(choices.size());
    const auto done = [](const Timing& timing) { return timing.done; };
    const auto visit = [&](std::size_t i) {
        const CallChoice& choice = choices[i];
        const auto so_far = std::count_if(timings.begin(), timings.end(), done);
        if (rank == 0)
            report_progress(static_cast<double>(so_far) / static_cast<double>(choices.size()),
                            choice.operation + ", " + std::to_string(choice.size) + " bytes");
        CallTiming(choice, ranks, surroundings, timings[i]).visit(accuracy_, seconds_);
    };
    for (std::size_t i = 0; i < choices.size(); ++i) visit(i);
    // A bad spell then meets all of them a little, and not one of them altogether.
    while (!std::all_of(timings.begin(), timings.end(), done) && surroundings.await())
        for (std::size_t i = 0; i < choices.size(); ++i)
            if (!timings[i].done && surroundings.await()) visit(i);
    if (rank != 0) return;

    Json measurements = Json::array();
    int elsewhere = 0;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const auto known = estimate(timings[i].counting());
        Json measurement = {{"operation", choices[i].operation}, {"size", choices[i].size},
                            {"seconds", known.median},           {"error", known.error},
                            {"samples", known.samples},          {"dropped", known.dropped}};
        if (stride_) measurement["packed"] = choices[i].packed;
        if (surroundings.asked()) measurement["same_surroundings"] = timings[i].in_place();
        if (!timings[i].in_place()) ++elsewhere;
        measurements.push_back(std::move(measurement));
    }
    if (elsewhere > 0)
        json["warnings"].push_back(
            "the ranks' processors were not as far from each other as in the "
            "profile, or not as undisturbed (in " +
            std::to_string(elsewhere) + " of " + std::to_string(choices.size()) + " timings)");
    json["preempted"] = preempted.share();
    json["measurements"] = measurements;
    write_file(output_, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace lapwing::tools
