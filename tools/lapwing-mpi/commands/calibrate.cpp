#include "commands/calibrate.hpp"

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "lapwing/calibrate/all_operations.hpp"
#include "lapwing/calibrate/environment/scheduler_wait.hpp"
#include "lapwing/calibrate/parts/latency.hpp"
#include "lapwing/calibrate/parts/log3p.hpp"
#include "lapwing/calibrate/parts/loggp.hpp"
#include "lapwing/calibrate/parts/operations.hpp"
#include "lapwing/calibrate/parts/patterns.hpp"
#include "lapwing/calibrate/parts/plogp.hpp"
#include "lapwing/calibrate/parts/protocol.hpp"
#include "lapwing/calibrate/parts/switch_sizes.hpp"
#include "lapwing/calibrate/parts/topology.hpp"
#include "lapwing/calibrate/ranks/find_nodes.hpp"
#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/profile/fingerprint.hpp"
#include "support/calibration_parts.hpp"
#include "support/command.hpp"
#include "support/kernel_set.hpp"
#include "support/pair_selection.hpp"
#include "support/run_description.hpp"

namespace lapwing::tools {
namespace {

/// Sizes at which the usual benchmarks are compared, bytes.
std::vector<std::uint64_t> benchmark_sizes(bool quick) {
    std::vector<std::uint64_t> sizes;
    const std::uint64_t largest = quick ? 1 << 20 : 4 << 20;
    for (std::uint64_t size = 1; size <= largest; size *= quick ? 4 : 2) sizes.push_back(size);
    return sizes;
}

/// How much longer than usual to take: on a slow wire it is the wire that takes the time. The same
/// on both ranks.
double patience(TransportPair<TwoSided>& pair) {
    constexpr std::uint64_t size = 65536;
    constexpr double usual = 200e-6;  // seconds for half a round trip
    constexpr double most = 1.7;
    PairBenchmarks<TwoSided> exchange(pair, size);
    double least = 1;
    for (int i = 0; i < (simulated_time ? 1 : 5); ++i)
        least = std::min(least, exchange.half_round_trip(size));
    return pair.from_first(simulated_time ? 1 : std::clamp(least / usual, 1.0, most));
}

/// The numbers of processes to measure patterns with: those `asked` for, in order, or the usual.
std::vector<int> processes_to_measure(std::vector<int> asked, int size) {
    if (asked.empty()) return default_processes(size);
    std::sort(asked.begin(), asked.end());
    asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
    if (asked.front() < 2 || asked.back() > size)
        throw std::runtime_error("--processes: numbers from 2 to " + std::to_string(size) +
                                 " are needed, for there are as many ranks");
    return asked;
}

std::string joined(const std::vector<std::string>& names) {
    std::string list = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) list.append(",").append(names[i]);
    return list;
}

}  // namespace

void CalibrateCommand::run() const {
    auto options = quick_ ? CalibrationOptions::quick() : CalibrationOptions{};
    // No profile is without the parameters; the tables that belong to them are a part like others.
    const bool tables =
        only_.empty() || std::find(only_.begin(), only_.end(), "tables") != only_.end();
    if (!tables) options = CalibrationOptions::loggp();
    if (accuracy_ > 0) options.goal.accuracy = accuracy_;

    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const auto processes = processes_to_measure(processes_, size);
    const RunDescription machine;
    const Nodes nodes = find_nodes(MPI_COMM_WORLD);
    const auto more_pairs = pairs_to_measure(pairs_, nodes, size);

    std::optional<Profile> before;
    if (!sizes_of_.empty()) before = load_profile(sizes_of_);
    Profile profile;
    NoiseCounts noise;
    CalibrationParts parts(only_, report_progress);
    const double pair_seconds = quick_ ? 1 : 4;
    const double pattern_seconds =
        (quick_ ? 0.5 : 1.5) * static_cast<double>(std::max<std::size_t>(1, processes.size()));
    const auto pairs_report =
        parts.later("pairs", pair_seconds * static_cast<double>(more_pairs.size()));
    const auto patterns_report = parts.later("patterns", pattern_seconds);
    const auto topology_report = parts.later("topology", size > 2 ? 1 : 0);

    with_pair(nodes.main_pair(), [&](auto& pair, MPI_Comm ranks) {
        const SchedulerWait preempted;
        // Seconds that the parts still to come may wait for the best surroundings.
        double wait = wait_.value_or(quick_ ? 5 : 60);
        pair.state_monitor().approach(pair, quick_ ? 1 : 10);
        const double more = quick_ ? 1 : patience(pair);
        options.seconds *= more;
        parts.add("loggp", options.seconds, [&](double, const auto& report) {
            options.progress = report;
            Calibration calibration(pair, options);
            profile = calibration.run();
            noise += calibration.noise();
        });
        const auto goal_in = [&](double seconds) {
            return SamplingGoal{options.goal.accuracy, seconds, quick_ ? 2 : 5};
        };
        std::vector<std::uint64_t> switches;
        parts.add("protocol", quick_ ? 1 : 3 * more, [&](double seconds, const auto& report) {
            const auto choice = quick_ ? ProtocolOptions::quick() : ProtocolOptions{};
            ProtocolMeasurement measurement(pair, choice, goal_in(seconds), seconds, noise, report);
            profile.protocol = measurement.run();
            measure_at_switches(pair, measurement.rate_switches(), options.longest,
                                goal_in(seconds), seconds / 8, noise, report, profile);
            switches = measurement.clear_switches();
        });
        parts.add("latency", quick_ ? 0.7 : 4 * more, [&](double seconds, const auto& report) {
            const bool known = before && before->latency;
            const auto sizes = known ? before->latency->sizes
                                     : with_switch_sizes(benchmark_sizes(quick_), switches);
            LatencyMeasurement latency(pair, ranks, sizes, !known, options.longest);
            profile.latency = latency.run(options.goal, seconds, noise, report);
        });
        parts.add("operations", quick_ ? 1.5 : 11 * more, [&](double seconds, const auto& report) {
            const auto choice = quick_ ? OperationOptions::quick() : OperationOptions{};
            const auto visit_all = [&](auto&& visit) {
                all_operations(ranks, 4 * choice.sizes.back(), visit);
            };
            measure_operations(pair, choice, options.goal, seconds, noise, report, visit_all,
                               profile);
        });
        parts.add("plogp", quick_ ? 0.5 : 2.5 * more, [&](double seconds, const auto& report) {
            const std::uint64_t largest = std::uint64_t{1} << 20;
            measure_plogp(pair, largest, options.longest, goal_in(seconds), noise, report, profile);
        });
        parts.add("log3p", quick_ ? 1 : 13 * more, [&](double seconds, const auto& report) {
            auto choice = quick_ ? Log3POptions::quick() : Log3POptions{};
            if (before && before->log3p) {
                choice.sizes = before->log3p->sizes;
                choice.bends = false;
            }
            measure_log3p(pair, ranks, choice, goal_in(seconds), noise, report, profile);
        });
        parts.add("kernels", quick_ ? 0.5 : 1.5 * more, [&](double seconds, const auto& report) {
            KernelSet kernels(pair.first());
            measure_kernels(pair, kernels.all(), goal_in(seconds), noise, report, profile);
            for (const auto& warning : kernels.warnings()) profile.warnings.push_back(warning);
        });
        parts.run([&](const std::string& part, double share, const auto& measure) {
            StateMonitor& processors = pair.state_monitor();
            processors.have_patience(share * wait);
            measure();
            wait -= share * wait - processors.patience();
            const Surroundings here = processors.measured_in();
            if (here.known()) profile.measured_in.emplace_back(part, here);
        });
        profile.typical_clock = pair.clock_speed().typical();
        profile.surroundings = pair.state_monitor().best();
        noise.preempted = std::max(preempted.share(), pair.from_second(preempted.share()));
    });
    quiet_barrier(MPI_COMM_WORLD);

    // What is left takes other ranks, or all. Who has no part in a measurement waits quietly.
    if (parts.chosen("pairs"))
        measure_pairs(more_pairs, options.goal, pair_seconds, profile, noise, pairs_report);
    if (parts.chosen("patterns")) {
        PatternOptions what{.goal = options.goal, .processes = processes};
        what.seconds = pattern_seconds;
        if (quick_) what.sizes = {4096, 1048576};
        measure_patterns(MPI_COMM_WORLD, what, profile, noise, patterns_report);
    }
    quiet_barrier(MPI_COMM_WORLD);
    if (parts.chosen("topology")) measure_topology(MPI_COMM_WORLD, nodes, profile, topology_report);
    quiet_barrier(MPI_COMM_WORLD);
    if (rank != 0) return;
    report_progress(1, "done");
    profile.machine = machine.fields();
    profile.fingerprint = fingerprint(profile.machine);
    // Who merges profiles has to know what was not measured.
    if (!only_.empty()) profile.machine.emplace_back("parts", joined(only_));
    const auto& found = machine.warnings();
    profile.warnings.insert(profile.warnings.begin(), found.begin(), found.end());
    add_warnings(profile, noise, options.goal);
    write_file(output_, to_json(profile));
}

}  // namespace lapwing::tools
