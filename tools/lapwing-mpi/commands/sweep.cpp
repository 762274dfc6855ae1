#include "commands/sweep.hpp"

#include <functional>
#include <nlohmann/json.hpp>
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
#include "lapwing/plan/one_sided.hpp"
#include "lapwing/plan/words.hpp"
#include "lapwing/profile/fingerprint.hpp"
#include "support/command.hpp"
#include "support/run_description.hpp"
#include "trials/pattern_trial.hpp"
#include "trials/stream.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

/// Rank 0's `text`, on all ranks of the group.
std::string told(std::string text, const RankGroup& group) {
    auto length = static_cast<std::uint64_t>(text.size());
    check_mpi(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, group.communicator()), "MPI_Bcast");
    text.resize(length);
    check_mpi(MPI_Bcast(text.data(), static_cast<int>(length), MPI_CHAR, 0, group.communicator()),
              "MPI_Bcast");
    return text;
}

/// The plan as a document; none where there is no model of it: of ours, `warnings` say why.
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

/// Does something with a trial over the transport of a name.
using WithTrial = std::function<void(const std::string&, const std::function<void(Trial&)>&)>;

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
    const std::string stale = staleness(profile, RunDescription().fields());
    const int repetitions = repetitions_ > 0 ? repetitions_ : simulated_time ? 1 : 3;

    // `share`: what rank 0 says, on all.
    const auto run_trial = [&](Trial& trial, Workload workload, const WithTrial& with_trial,
                               const std::function<std::string(std::string)>& share) {
        SweepRunner measurement(trial, repetitions,
                                plan_only_ ? std::vector<GridPoint>{} : trial.grid(smallest_));
        workload.compute = measurement.set_computation(ratio_, compute_);
        std::vector<std::string> warnings;
        if (!stale.empty()) warnings.push_back(stale);
        const auto chosen = [&](Method method) -> std::optional<Plan> {
            std::string text;
            if (trial.first()) {
                const bool given = method == Method::lapwing && !plan_.empty();
                text = given ? read_file(plan_) : planned(profile, workload, method, warnings);
            }
            text = share(std::move(text));
            if (text.empty()) return std::nullopt;
            return plan_from_json(text);
        };
        const auto ours = chosen(Method::lapwing);
        const auto paper = chosen(Method::paper);
        if (ours && transport_ == "any" && ours->transport != base_transport() &&
            ours->transport != "collective") {
            with_trial(std::string(ours->transport), [&](Trial& other) {
                other.set_computation(workload.compute);
                other.blocking();  // opens what has to be opened
                measurement.run(ours, paper, other);
            });
        } else {
            measurement.run(ours, paper, trial);
        }
        if (!trial.first()) return;
        Json result = {{"lapwing", "sweep"},
                       {"pattern", name(workload.pattern)},
                       {"direction", name(workload.direction)},
                       {"dependence", name(workload.dependence)},
                       {"ranks", workload.ranks},
                       {"peers", workload.peers},
                       {"balanced", workload.balanced},
                       {"block", workload.block},
                       {"stride", workload.stride},
                       {"sizes_known", workload.sizes_known},
                       {"transport", base_transport()},
                       {"volume", workload.volume},
                       {"grain", workload.grain}};
        result.update(measurement.result());
        if (!warnings.empty()) result["warnings"] = warnings;
        write_file(output_, result.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
    };

    RankGroup group(MPI_COMM_WORLD);
    const Workload workload = this->workload(static_cast<std::uint64_t>(group.size()));
    const auto run_sweep = [&](RankGroup& ranks, const WithTrial& with_trial) {
        with_trial(base_transport(), [&](Trial& trial) {
            run_trial(trial, workload, with_trial,
                      [&](std::string text) { return told(std::move(text), ranks); });
        });
    };
    if (workload.pattern == Pattern::stream) {
        with_pair(find_nodes(MPI_COMM_WORLD).main_pair(), [&](auto& pair, MPI_Comm two) {
            RankGroup both(two);
            run_sweep(both, [&](const std::string& transport, const auto& action) {
                if (workload.direction == Direction::fetch && transport == "two-sided" &&
                    !is_strided(workload)) {
                    StreamTrial trial(pair, volume_, grain_);
                    action(trial);
                } else {
                    with_pattern_trial(both, workload, transport, action);
                }
            });
        });
        quiet_barrier(MPI_COMM_WORLD);
        return;
    }
    run_sweep(group, [&](const std::string& transport, const auto& action) {
        with_pattern_trial(group, workload, transport, action);
    });
}

}  // namespace lapwing::tools
