#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/parts/context.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// At which sizes `measure_latency` measures.
struct LatencyOptions {
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing
    bool refine = false;               ///< further sizes where the time is not a straight line
};

/// Measures latency and bandwidth as the usual benchmarks do. One buffer, which begins with a page,
/// serves all messages. The ping-pong has blocking calls. The flood has windows of 64 non-blocking
/// messages that a short one answers, fewer where they would take longer than `context.longest`.
/// Both ranks call it; rank 0 has the result in `profile.latency`.
void measure_latency(Context& context, const LatencyOptions& options, Profile& profile);

}  // namespace lapwing
