#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/profile/algorithm_factors.hpp"
#include "lapwing/profile/collective_costs.hpp"
#include "lapwing/profile/environment.hpp"
#include "lapwing/profile/imported_table.hpp"
#include "lapwing/profile/link_costs.hpp"
#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/operation_costs.hpp"
#include "lapwing/profile/pair_costs.hpp"
#include "lapwing/profile/pattern_costs.hpp"
#include "lapwing/profile/plogp.hpp"
#include "lapwing/profile/progress.hpp"
#include "lapwing/profile/topology.hpp"

namespace lapwing {

/// The measured costs of a machine: all that planner and models need, with where, how and how well
/// it was measured. Parts that were not measured are empty.
struct Profile : LinkCosts {
    static constexpr int schema_version = 2;

    /// Where and how it was measured: names with free text (mpi, hosts, cores, date, command …).
    std::vector<std::pair<std::string, std::string>> machine;
    /// `lapwing::fingerprint` of the machine. It changes if the measurements become invalid. Empty
    /// if unknown.
    std::string fingerprint;
    /// The processor's usual clock over the fastest it showed: 0 … 1. Processor times (overheads,
    /// packing, copies, kernels) are given at the fastest; they usually take 1 / this as long.
    double clock_ratio = 1;

    // Of two ranks and two-sided messages, like the members of `LinkCosts`:
    /// Relative error of each parameter of `loggp` (0.01 is one per cent).
    LogGP error;
    Progress progress;
    std::optional<int> queue_depth;  ///< messages outstanding before initiation waits
    std::string queue_depth_reason;  ///< why there is none
    std::optional<PLogP> plogp;
    std::optional<Log3P> log3p;
    std::optional<Topology> topology;

    std::vector<OperationCosts> operations;  ///< every way to move bytes
    std::vector<PairCosts> pairs;            ///< further pairs of ranks
    std::vector<PatternCosts> patterns;      ///< many ranks at once
    std::optional<CollectiveCosts> collectives;
    std::vector<AlgorithmFactors> algorithms;  ///< of the MPI library's collectives

    /// Work of one core a second, by the name of a kernel: bytes for "add", "copy" and "bzip2",
    /// floating-point operations for "fft".
    std::vector<std::pair<std::string, double>> kernels;

    /// By part of the calibration: the environment that three quarters of its quantities were
    /// measured in, or in better. Empty where nobody looked.
    std::vector<std::pair<std::string, Environment>> environment;

    /// Tables that were imported from logs of other benchmarks.
    std::vector<ImportedTable> imported;
    /// Table entries that were not measured but interpolated: "overhead.send[8][6]".
    std::vector<std::string> interpolated;
    std::vector<std::string> warnings;
};

/// The best environment that any part was measured in, indicator by indicator.
[[nodiscard]] Environment best_environment(const Profile& profile);

/// Throws `std::invalid_argument`, naming the first field that is wrong, unless all parameters are
/// finite and not negative, and tables have matching shapes and increasing sizes.
void validate(const Profile& profile);

}  // namespace lapwing
