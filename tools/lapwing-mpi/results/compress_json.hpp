#pragma once

#include <cstddef>
#include <string>

#include "apps/compress/job.hpp"
#include "apps/compress/times.hpp"

namespace lapwing::tools {

/// How data was compressed or decompressed.
struct CompressRun {
    std::size_t block = 0;  ///< bytes compressed at once
    int ranks = 0;
    bool decompressed = false;
    bool planned = false;  ///< for a machine's profile
};

/// The result of one compression or decompression as text.
[[nodiscard]] std::string compress_json(const compress::Done& done, const CompressRun& run);

/// The result of a benchmark as text.
[[nodiscard]] std::string compress_benchmark_json(const compress::Times& times,
                                                  const CompressRun& run);

/// `part` of `all`; 0 if there is nothing.
[[nodiscard]] double share_of(std::uint64_t part, std::uint64_t all);

}  // namespace lapwing::tools
