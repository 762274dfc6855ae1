#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/costs/one_sided.hpp"
#include "lapwing/plan/costs/progress.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What messages cost a rank of a workload. All that the planner knows of a machine: whoever plans
/// or predicts goes by this, and by no profile.
struct RankCosts {
    /// Complete. Its computation includes the processor time that messages in flight steal.
    Workload workload;
    /// Of a message between two ranks, by its size: for the engine.
    std::shared_ptr<const LinkCosts> link;
    /// Of a message in this pattern, as straight lines in its size: for closed forms. `o_s` and
    /// `o_r` are what this rank's processor, or its partner's, pays at the two ends of a message.
    model::Stream line;
    std::optional<Topology> topology;
    std::uint64_t peers = 1;           ///< whose messages share the window
    std::uint64_t bytes_per_peer = 0;  ///< of computing ranks
    bool two_way = false;              ///< computing ranks send and receive
    int max_in_flight = 0;             ///< messages that the interface's queue takes
    ProgressLimits progress;
    /// Message sizes whose exposed time was measured, bytes. Ranks that exchange get plans with
    /// these sizes only, since one in between may need a packet more. Empty: any size.
    std::vector<std::uint64_t> exposed_sizes;
    bool exposed_receive = false;  ///< the receive overheads of `link` are measured exposed times
    Packing packing = Packing::none;
    std::string_view transport = "two-sided";
    /// Whether the side that puts or gets is busy with one message after another, see
    /// `moves_one_by_one`.
    bool one_by_one = false;
    StreamEnds stream_ends;

    /// Bytes of a computing rank, all its peers together.
    [[nodiscard]] double volume() const {
        return static_cast<double>(bytes_per_peer) * static_cast<double>(peers);
    }
    /// Whether measured exposed times are among the costs.
    [[nodiscard]] bool has_exposed_time() const {
        return exposed_receive || !exposed_sizes.empty();
    }
    /// The costs of the same messages beside `factor` times the computation.
    [[nodiscard]] RankCosts with_computation(double factor) const {
        RankCosts other = *this;
        other.workload.compute *= factor;
        other.line.t *= factor;
        return other;
    }
};

/// `costs.line` as that of a receiver that computes. A one-way producer is a receiver with time
/// reversed. It pays for sending where the other pays for receiving. The best last message of the
/// one is the best first message of the other.
[[nodiscard]] model::Stream as_receiver(const RankCosts& costs);

/// The costs of a workload, for the two ways to run it.
struct WorkloadCosts {
    RankCosts computing;     ///< while messages are in flight: a run that overlaps
    RankCosts idle;          ///< at no time meanwhile: the blocking run
    double uncertainty = 0;  ///< relative error of computation over communication

    /// Whether messages take the processor from the computation.
    [[nodiscard]] bool take_processor() const {
        return computing.workload.compute > idle.workload.compute || computing.has_exposed_time();
    }
};

/// What a workload's messages cost on a measured machine, sent by `transport` (not `any`).
/// `workload`: complete. The profile outlives the result. Throws `std::invalid_argument` for costs
/// that the profile does not have: strided data without log_3P, one-sided operations.
///
/// Computing ranks pay the costs measured of such ranks, if there are any (`measured_exposure`),
/// else the model's terms. The processor time that messages in flight steal (O of LogGOPS) comes on
/// top.
[[nodiscard]] WorkloadCosts workload_costs(const Profile& profile, const Workload& workload,
                                           MessageTransport transport);

}  // namespace lapwing
