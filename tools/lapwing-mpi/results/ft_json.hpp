#pragma once

#include <string>

#include "apps/ft/problem.hpp"
#include "apps/ft/result.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::tools {

/// The result of NAS FT on `ranks` ranks as text.
[[nodiscard]] std::string ft_json(const ft::Problem& problem, const fft::Options& options,
                                  const ft::Result& result, int ranks);

}  // namespace lapwing::tools
