#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// Which targets of a rank's messages count.
enum class Targets {
    others,  ///< the other ranks
    all,     ///< itself too: what it copies instead of sending
};

/// Messages that one rank sends in these transposes of all arrays of a batch. What it sends to one
/// rank in one all-to-all counts as one message.
[[nodiscard]] std::uint64_t message_count(const std::vector<TransposeStep>& steps,
                                          const Options& options, Targets targets);

}  // namespace lapwing::fft
