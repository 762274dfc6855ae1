#include "commands/calibrate.hpp"

#include <mpi.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "lapwing/calibrate/benchmarks/traffic_pattern.hpp"
#include "lapwing/calibrate/calibrate.hpp"
#include "lapwing/calibrate/environment/scheduler_wait.hpp"
#include "lapwing/calibrate/parts/node_copy.hpp"
#include "lapwing/calibrate/parts/patterns.hpp"
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

/// Measures the kernels that this program was built with.
void measure_kernel_set(Context& context, Profile& profile) {
    const KernelSet kernels(context.pair.first());
    measure_kernels(context.sampling, kernels.all(), profile);
    for (const auto& warning : kernels.warnings()) profile.warnings.push_back(warning);
}

/// Runs the chosen parts by the two ranks of `pair`.
class PairCalibration {
  public:
    /// `wait`: seconds that the parts may spend on waiting for the best environment.
    PairCalibration(TwoSidedPair& pair, MPI_Comm ranks, double accuracy, double wait)
        : pair_(pair), ranks_(ranks), environment_(pair), accuracy_(accuracy), wait_(wait) {}

    void run(const CalibrationSettings& settings, CalibrationParts& parts, Profile& profile,
             NoiseCounts& noise) {
        const double factor = settings.quick ? 1 : slow_wire_factor(pair_);
        Context context{pair_, ranks_, {pair_, environment_, noise, {}, {}}};
        for (const CalibrationPart& part : calibration_parts(settings)) {
            const double seconds = settings.quick ? part.quick_seconds : factor * part.seconds;
            const int least = settings.quick ? part.quick_least : part.least;
            parts.add(part.name, seconds, [=, this, &context, &profile](double, auto status) {
                context.sampling.goal = {accuracy_, seconds, least};
                context.sampling.status = std::move(status);
                part.measure(context, profile);
            });
        }
        parts.run([&](const std::string& part, double share, const auto& measure) {
            run_part(part, share, measure, profile);
        });
        profile.clock_ratio = environment_.clock().typical();
        const double waited = scheduler_wait_.share();
        noise.preempted = std::max(waited, pair_.from_second(waited));
    }

  private:
    /// `share`: of the budget for waiting that this part may use.
    void run_part(const std::string& part, double share, const std::function<void()>& measure,
                  Profile& profile) {
        environment_.set_wait_budget(share * wait_);
        measure();
        wait_ -= share * wait_ - environment_.wait_budget();
        Environment here = environment_.take_counted();
        if (here.known()) profile.environment.emplace_back(part, std::move(here));
    }

    const SchedulerWait scheduler_wait_;
    TwoSidedPair& pair_;
    MPI_Comm ranks_;
    EnvironmentMonitor environment_;
    double accuracy_;
    double wait_;
};

/// Adds to the profile where and how it was measured, and what makes it doubtful.
void describe(Profile& profile, const RunDescription& machine, const std::vector<std::string>& only,
              const NoiseCounts& noise, const SamplingGoal& goal) {
    profile.machine = machine.fields();
    profile.fingerprint = fingerprint(profile.machine);
    // Whoever merges profiles has to know what was not measured.
    if (!only.empty()) profile.machine.emplace_back("parts", joined(only));
    const auto& found = machine.warnings();
    profile.warnings.insert(profile.warnings.begin(), found.begin(), found.end());
    add_warnings(profile, noise, goal);
}

}  // namespace

void CalibrateCommand::run() const {
    CalibrationSettings settings;
    settings.quick = quick_;
    settings.measure_kernels = measure_kernel_set;
    // No profile is without the parameters; the tables that belong to them are a part like others.
    settings.tables =
        only_.empty() || std::find(only_.begin(), only_.end(), "tables") != only_.end();
    const SamplingGoal goal{.accuracy = accuracy_ > 0 ? accuracy_ : settings.accuracy(),
                            .least = 6};
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const auto processes = processes_to_measure(processes_, size);
    const RunDescription machine;
    const Nodes nodes = find_nodes(MPI_COMM_WORLD);
    const auto more_pairs = pairs_to_measure(pairs_, nodes, size);
    if (!sizes_of_.empty()) settings.sizes_of = load_profile(sizes_of_);

    Profile profile;
    NoiseCounts noise;
    CalibrationParts parts(only_, report_progress);
    const double pair_seconds = quick_ ? 1 : 4;
    const double pattern_seconds =
        (quick_ ? 0.5 : 1.5) * static_cast<double>(std::max<std::size_t>(1, processes.size()));
    const auto pairs_status =
        parts.later("pairs", pair_seconds * static_cast<double>(more_pairs.size()));
    const auto patterns_status = parts.later("patterns", pattern_seconds);
    const auto topology_status = parts.later("topology", size > 2 ? 1 : 0);
    with_pair(nodes.main_pair(), [&](auto& pair, MPI_Comm ranks) {
        PairCalibration(pair, ranks, goal.accuracy, wait_.value_or(0))
            .run(settings, parts, profile, noise);
    });
    quiet_barrier(MPI_COMM_WORLD);

    // The other parts take other ranks, or all. A rank that has no part in one waits quietly.
    if (parts.chosen("collectives")) {
        measure_node_copy(MPI_COMM_WORLD, nodes, profile);
        quiet_barrier(MPI_COMM_WORLD);
    }
    if (parts.chosen("pairs"))
        measure_pairs(more_pairs, goal, pair_seconds, profile, noise, pairs_status);
    if (parts.chosen("patterns")) {
        PatternOptions options{.goal = goal, .processes = processes};
        options.seconds = pattern_seconds;
        if (quick_) options.sizes = {4096, 1048576};
        measure_patterns(MPI_COMM_WORLD, options, profile, noise, patterns_status);
    }
    quiet_barrier(MPI_COMM_WORLD);
    if (parts.chosen("topology")) measure_topology(MPI_COMM_WORLD, nodes, topology_status, profile);
    quiet_barrier(MPI_COMM_WORLD);
    if (rank != 0) return;
    report_progress(1, "done");
    describe(profile, machine, only_, noise, goal);
    write_file(output_, to_json(profile));
}

}  // namespace lapwing::tools
