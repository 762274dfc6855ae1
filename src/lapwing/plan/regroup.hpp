#pragma once

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// The same bytes in half as many messages: every two that follow each other are one. What is left
/// over at the end stays alone.
[[nodiscard]] Messages coarser(const Messages& messages);

/// The same bytes in twice as many messages: each is two of as equal size as the grain lets them
/// be, the first the larger one. Those of one grain stay whole.
[[nodiscard]] Messages finer(const Messages& messages);

}  // namespace lapwing
