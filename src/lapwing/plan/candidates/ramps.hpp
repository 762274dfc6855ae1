#pragma once

#include <cstdint>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// `volume` bytes in messages that grow from a small first one and shrink to a small last one, by
/// factors of two, with messages of `largest` bytes between: for computation on both sides of a
/// message, where neither end is hidden.
[[nodiscard]] Messages ramp_up_down(std::uint64_t volume, std::uint64_t grain,
                                    std::uint64_t largest);

}  // namespace lapwing
