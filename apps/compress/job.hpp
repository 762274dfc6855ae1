#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bzip2.hpp"
#include "lapwing/gather/gather_plan.hpp"

namespace lapwing::compress {

/// Told at rank 0 how far the job is: bytes that are done, bytes in all (0: unknown), bytes
/// written.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all, std::uint64_t written)>;

/// What to compress or decompress, and how. The same on all ranks.
struct Job {
    std::string input;                  ///< a file, or "-" for standard input
    std::string output;                 ///< a file
    bool replace = false;               ///< whether there may be such a file already
    std::size_t block = largest_block;  ///< bytes; what `compress` writes depends on it
    /// The machine to plan for; none, or unused where the collection is given.
    std::optional<Profile> profile;
    std::optional<GatherSettings> collection;
    Progress progress;
    std::string trace;  ///< file for a trace of all ranks, for Perfetto; empty: none
};

/// What was done. The sizes are known at rank 0 alone.
struct Done {
    std::uint64_t read = 0;     ///< bytes
    std::uint64_t written = 0;  ///< bytes
    double seconds = 0;
    GatherPlan plan;       ///< how results were collected; of piped input, its first gather
    double predicted = 0;  ///< seconds; 0 where there was no profile
};

}  // namespace lapwing::compress
