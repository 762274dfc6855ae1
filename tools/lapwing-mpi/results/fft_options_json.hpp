#pragma once

#include "lapwing/fft/options.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {

/// The options of a transform that results of `fft` and `ft` have in common.
[[nodiscard]] Json options_json(const fft::Options& options);

}  // namespace lapwing::tools
