#pragma once

#include <string>

#include "apps/triangulation/result.hpp"

namespace lapwing::tools {

/// The result of a triangulation as text.
[[nodiscard]] std::string triangulation_json(const triangulation::Job& job,
                                             const triangulation::Result& result, int ranks);

}  // namespace lapwing::tools
