#include "commands/sweep.hpp"

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "commands/sweep_runner.hpp"
#include "lapwing/calibrate/ranks/find_nodes.hpp"
#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/profile/fingerprint.hpp"
#include "results/sweep_json.hpp"
#include "support/command.hpp"
#include "support/run_description.hpp"
#include "trials/registry.hpp"
#include "trials/stream.hpp"

namespace lapwing::tools {
namespace {

/// Rank 0's `text`, on all ranks of the group.
std::string broadcast(std::string text, const RankGroup& group) {
    auto length = static_cast<std::uint64_t>(text.size());
    check_mpi(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, group.communicator()), "MPI_Bcast");
    text.resize(length);
    check_mpi(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, group.communicator()),
              "MPI_Bcast");
    return text;
}

/// The plan that `make()` writes on rank 0, on all ranks of the group; none if it is empty.
template <class Make>
std::optional<Plan> agreed_plan(const RankGroup& group, Make&& make) {
    const std::string text = broadcast(group.rank() == 0 ? make() : std::string(), group);
    if (text.empty()) return std::nullopt;
    return plan_from_json(text);
}

/// The plan as a document; empty if the workload cannot be planned. For our method `warnings` then
/// say why.
std::string planned(const Profile& profile, Workload workload, Method method,
                    std::vector<std::string>& warnings) {
    if (!is_measured(profile, workload.transport)) {
        if (method == Method::lapwing)
            warnings.push_back("planned as two-sided: the profile does not say what a " +
                               std::string(name(workload.transport)) + " costs");
        workload.transport = MessageTransport::two_sided;
    }
    try {
        return to_json(lapwing::plan(profile, workload, method));
    } catch (const std::invalid_argument& error) {
        if (method == Method::lapwing)
            warnings.push_back(std::string("there is no plan: ") + error.what());
        return {};
    }
}

}  // namespace

std::string SweepCommand::base_transport() const {
    return transport_ == "any" ? std::string(name(MessageTransport::two_sided)) : transport_;
}

Workload SweepCommand::workload(std::uint64_t ranks) const {
    Workload workload{.volume = volume_,
                      .grain = grain_,
                      .pattern = pattern_named(pattern_),
                      .direction = direction_named(direction_),
                      .dependence = dependence_named(dependence_),
                      .ranks = ranks,
                      .peers = peers_,
                      .balanced = !unbalanced_,
                      .block = block_,
                      .stride = stride_,
                      .sizes_known = !unknown_sizes_,
                      .transport = transport_named(transport_)};
    if (workload.pattern == Pattern::stream) workload.ranks = 2;
    if (workload.pattern == Pattern::halo && workload.peers == 0)
        workload.peers = workload.ranks == 2 ? 1 : 2;
    return complete(workload);
}

void SweepCommand::run() const {
    for (const std::uint64_t bytes : {volume_, grain_, block_, stride_})
        if (bytes % sizeof(double) != 0)
            throw std::invalid_argument(
                "volume, grain, block and stride must be multiples of 8 bytes, a double");
    const Profile profile = load_profile(profile_);
    std::vector<std::string> warnings;
    if (const auto stale = staleness(profile, RunDescription().fields()); !stale.empty())
        warnings.push_back(stale);

    RankGroup all(MPI_COMM_WORLD);
    const Workload workload = this->workload(static_cast<std::uint64_t>(all.size()));
    if (workload.pattern != Pattern::stream) {
        sweep(all, workload, profile, warnings, [&](const auto& transport, const auto& action) {
            with_trial(all, workload, transport, action);
        });
        return;
    }
    with_pair(find_nodes(MPI_COMM_WORLD).main_pair(), [&](auto& pair, MPI_Comm two) {
        RankGroup both(two);
        sweep(both, workload, profile, warnings, [&](const auto& transport, const auto& action) {
            if (workload.direction == Direction::fetch && transport == "two-sided" &&
                !is_strided(workload)) {
                StreamTrial trial(pair, volume_, grain_);
                action(trial);
            } else {
                with_trial(both, workload, transport, action);
            }
        });
    });
    quiet_barrier(MPI_COMM_WORLD);
}

std::vector<GridPoint> SweepCommand::points(const Trial& trial, const Workload& workload) const {
    std::vector<TemplateSchedule> schedules;
    for (const std::string& letter : schedules_) schedules.push_back(schedule_named(letter));
    const bool others = schedules != std::vector{TemplateSchedule::E};
    if (others && !trial.has_schedules())
        throw std::invalid_argument(
            "schedules other than E are of ranks that fetch in a stream, "
            "multi or congested, not of this " +
            std::string(name(workload.pattern)));
    if (plan_only_) return {};
    const auto grid = trial.grid(smallest_);
    return others ? in_schedules(grid, schedules) : grid;
}

void SweepCommand::sweep(RankGroup& group, Workload workload, const Profile& profile,
                         std::vector<std::string> warnings, const UseTrial& use_trial) const {
    use_trial(base_transport(), [&](Trial& trial) {
        const int repetitions = repetitions_ > 0 ? repetitions_ : simulated_time ? 1 : 3;
        SweepRunner runner(trial, repetitions, points(trial, workload));
        workload.compute = runner.set_computation(ratio_, compute_);
        const auto plan_by = [&](Method method) {
            return agreed_plan(group, [&] {
                const bool given = method == Method::lapwing && !plan_.empty();
                return given ? read_file(plan_) : planned(profile, workload, method, warnings);
            });
        };
        const auto ours = plan_by(Method::lapwing);
        const auto paper = plan_by(Method::paper);
        if (ours && transport_ == "any" && ours->transport != base_transport() &&
            ours->transport != "collective") {
            use_trial(std::string(ours->transport), [&](Trial& other) {
                other.set_computation(workload.compute);
                other.blocking();  // the first run opens connections
                runner.run(ours, paper, other);
            });
        } else {
            runner.run(ours, paper, trial);
        }
        if (trial.first())
            write_file(output_, sweep_json(workload, base_transport(), runner.times(), warnings));
    });
}

}  // namespace lapwing::tools
