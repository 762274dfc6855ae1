#pragma once

#include <string>

#include "apps/nas/ft/problem.hpp"
#include "apps/nas/ft/result.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::tools {

/// The result of NAS FT on `ranks` ranks as text.
[[nodiscard]] std::string ft_json(const nas::ft::Problem& problem, const fft::Options& options,
                                  const nas::ft::Result& result, int ranks);

}  // namespace lapwing::tools
