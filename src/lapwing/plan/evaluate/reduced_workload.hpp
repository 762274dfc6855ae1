#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// A workload scaled down to fewer ranks: each message costs what it costs among all, and there is
/// as much computation for the same bytes. The engine has time for many candidates of it.
struct ReducedWorkload {
    Workload workload;
    double share = 1;       ///< of the bytes of each message: those of a collective are as large
                            ///< for each peer as among all ranks
    double time_scale = 1;  ///< times as long the whole takes, about

    /// The candidate with messages of this workload.
    [[nodiscard]] Candidate candidate(const Candidate& whole) const;
};

/// `workload` (complete) among `ranks`: at least 2, and no more than it has. Only patterns in which
/// every rank exchanges with all others become smaller (`with_all`).
[[nodiscard]] ReducedWorkload scale_down(const Workload& workload, std::uint64_t ranks);

/// A smaller fat tree with the same oversubscription: one uplink per leaf. As many nodes share it
/// as the busiest link of `topology` carries multiples of a node link's load when `ranks` ranks all
/// send to all. One switch where no link is oversubscribed.
[[nodiscard]] std::optional<Topology> scale_down(const std::optional<Topology>& topology,
                                                 std::uint64_t ranks);

}  // namespace lapwing
