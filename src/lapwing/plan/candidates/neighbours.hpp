#pragma once

#include <cstdint>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// The same bytes in half as many messages: every two in a row become one. An odd last one stays.
[[nodiscard]] Messages merged_pairs(const Messages& messages);

/// The same bytes in twice as many messages: each is two of as equal size as the grain lets them
/// be, the first the larger one. Those of one grain stay whole.
[[nodiscard]] Messages halved(const Messages& messages);

/// The same bytes in `count` (2 or more) messages as equal as the grain lets them be, the last of
/// `quarters` quarters of the others' size: nothing hides what the last one takes. Fewer messages
/// where there are fewer grains.
[[nodiscard]] Messages with_short_last(const Messages& messages, std::uint64_t count,
                                       std::uint64_t quarters = 4);

}  // namespace lapwing
