#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "bzip2.hpp"
#include "lapwing/plan/gather.hpp"

namespace lapwing::compress {

/// How far it is, at rank 0: bytes that are done, of how many (0 where nobody knows), and written.
using Progress = std::function<void(std::uint64_t done, std::uint64_t all, std::uint64_t written)>;

/// What is to be done. The same on all ranks.
struct Job {
    std::string input;                  ///< a file, or "-" for standard input
    std::string output;                 ///< a file
    bool replace = false;               ///< whether there may be such a file already
    std::size_t block = largest_block;  ///< bytes; what `compress` writes depends on it
    /// The machine, to plan for it. Without one, or where the collection is given, that is used.
    std::optional<Profile> profile;
    std::optional<Collection> collection;
    Progress progress;
    std::string trace;  ///< file for what each rank did when, for Perfetto; none where it is empty
};

/// What was done; the sizes at rank 0.
struct Done {
    std::uint64_t read = 0;     ///< bytes
    std::uint64_t written = 0;  ///< bytes
    double seconds = 0;
    GatherPlan plan;       ///< how it was collected; of what was piped, its first gather
    double predicted = 0;  ///< seconds; 0 where there was no profile
};

}  // namespace lapwing::compress
