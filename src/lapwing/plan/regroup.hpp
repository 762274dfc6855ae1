#pragma once

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// The same bytes in half as many messages: every two that follow each other are one. What is left
/// over at the end stays alone.
[[nodiscard]] Messages coarser(const Messages& messages);

/// The same bytes in twice as many messages: each is two of as equal size as the grain lets them
/// be, the first the larger one. Those of one grain stay whole.
[[nodiscard]] Messages finer(const Messages& messages);

/// The same bytes in `count` messages of as equal size as the grain lets them be, but for the last
/// one, which is so many `quarters` as large: what it takes comes on top of all else. `count`: 2 or
/// more; fewer come of it where there are not as many grains.
[[nodiscard]] Messages tapered(const Messages& messages, std::uint64_t count,
                               std::uint64_t quarters);

}  // namespace lapwing
