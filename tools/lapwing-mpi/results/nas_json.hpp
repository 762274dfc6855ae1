#pragma once

#include <string>

#include "apps/nas/common/benchmarks.hpp"
#include "apps/nas/common/result.hpp"

namespace lapwing::tools {

/// The result of one of the NAS Parallel Benchmarks as text.
[[nodiscard]] std::string nas_json(const nas::Result& result,
                                   const nas::BenchmarkOptions& benchmark);

}  // namespace lapwing::tools
