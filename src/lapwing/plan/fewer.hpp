#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// A workload among fewer ranks: each message costs what it costs among all, and there is as much
/// computation for what goes over the wire. For looking at many ways to cut where the engine has
/// time for few.
struct Fewer {
    Workload workload;
    /// Of the messages of the whole: a collective's parts are as large as among all.
    double share = 1;
    double longer = 1;  ///< times as long it takes among all, about

    [[nodiscard]] Messages messages(const Messages& whole) const;
};

/// `workload`, which is complete, among `ranks`, at least 2 and no more than it has. Of a pattern
/// in which every rank has to do with all others; any other is as it was.
[[nodiscard]] Fewer among(const Workload& workload, std::uint64_t ranks);

/// A topology for few of `ranks` that all send to all: one link up from each leaf switch, which as
/// many of them share as the busiest of `topology` has times as much to carry as a node's. One
/// switch where none has more.
[[nodiscard]] std::optional<Topology> narrowed(const std::optional<Topology>& topology,
                                               std::uint64_t ranks);

}  // namespace lapwing
