#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/costs/progress_limits.hpp"
#include "lapwing/plan/plan_types.hpp"
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
    /// Message sizes whose exposed time was measured, bytes: of ranks that exchange, only these are
    /// planned, since a size in between may need a packet more. Empty: any size.
    std::vector<std::uint64_t> exposed_sizes;
    bool exposed_receive = false;  ///< the receive overheads of `link` are measured exposed times
    Packing packing = Packing::none;
    std::string_view transport = "two-sided";

    /// Bytes of a computing rank, all its peers together.
    [[nodiscard]] double volume() const {
        return static_cast<double>(bytes_per_peer) * static_cast<double>(peers);
    }
    /// Whether measured exposed times are among the costs.
    [[nodiscard]] bool has_exposed_time() const {
        return exposed_receive || !exposed_sizes.empty();
    }
    /// The costs of the same messages beside `factor` times the computation.
    [[nodiscard]] RankCosts with_computation(double factor) const;
};

}  // namespace lapwing
