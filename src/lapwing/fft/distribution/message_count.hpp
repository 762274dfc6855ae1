#pragma once

#include <cstddef>
#include <cstdint>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// Messages from `source` to `target` in the transpose of one array. A part of an all-to-all is
/// one.
[[nodiscard]] inline std::uint64_t message_count(const Route& route, int source, int target,
                                                 const Options& options) {
    if (route.stages() > 1) {
        std::uint64_t sent = 0;
        for (std::size_t i = 0; i < route.messages(source, target); ++i)
            if (route.bytes(source, target, i) > 0) ++sent;
        return sent;
    }
    const std::uint64_t all_to_alls = options.schedule == Schedule::tiled
                                          ? (route.planes(source) + options.tile - 1) / options.tile
                                          : 1;
    return route.messages(source, target) * all_to_alls;
}

}  // namespace lapwing::fft
