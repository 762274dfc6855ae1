#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/profile/link_costs.hpp"
#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/operation_costs.hpp"
#include "lapwing/profile/pair_costs.hpp"
#include "lapwing/profile/pattern_costs.hpp"
#include "lapwing/profile/plogp.hpp"
#include "lapwing/profile/progress.hpp"
#include "lapwing/profile/surroundings.hpp"
#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// What a machine measured like: everything the planner and the models need, and where, how and
/// how well it was measured. What was not measured is empty.
struct Profile : LinkCosts {
    static constexpr int schema_version = 2;

    /// Where and how it was measured: free text by name (mpi, hosts, cores, date, command …).
    std::vector<std::pair<std::string, std::string>> machine;
    /// Changes with whatever makes measurements invalid: processor, MPI and its settings, hosts,
    /// interfaces. Empty where unknown.
    std::string fingerprint;
    /// The processor's usual clock over the fastest it showed: 0 … 1. Processor times (overheads,
    /// packing, copies, kernels) are given at the fastest; they usually take 1 / this as long.
    double typical_clock = 1;
    /// Of the two ranks' processors: the best that were met, which the tables are for.
    Surroundings surroundings;

    // Two ranks, two-sided, beside what `LinkCosts` has.
    /// Relative error of each LogGP parameter, in the same places (0.01 is one per cent).
    LogGP error;
    Progress progress;
    std::optional<int> queue_depth;  ///< messages outstanding before initiation blocks
    std::string queue_depth_reason;  ///< why there is none
    std::optional<PLogP> plogp;
    std::optional<Log3P> log3p;
    std::optional<Topology> topology;

    std::vector<OperationCosts> operations;  ///< every way to move bytes, side by side
    std::vector<PairCosts> pairs;            ///< other pairs of ranks
    std::vector<PatternCosts> patterns;      ///< many ranks at once

    /// What one core does a second, by kernel: bytes for "add", "copy" and "bzip2", floating-point
    /// operations for "fft".
    std::vector<std::pair<std::string, double>> kernels;

    /// By part of the calibration: what three quarters of its quantities were measured in, or in
    /// better. Where the best did not come while a part was measured, its tables are for this.
    std::vector<std::pair<std::string, Surroundings>> measured_in;

    /// Entries that were not measured but taken from their neighbours: "overhead.send[8][6]".
    std::vector<std::string> interpolated;
    std::vector<std::string> warnings;
};

/// Checks what every reader relies on: finite, non-negative parameters, tables of matching shape
/// with increasing sizes. Throws `std::invalid_argument` naming the first field that is wrong.
void validate(const Profile& profile);

}  // namespace lapwing
