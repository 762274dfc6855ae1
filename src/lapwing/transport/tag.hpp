#pragma once

#include <cstdint>

namespace lapwing {

/// The tag of message `index` of a stream. Messages of unequal size may use different protocols and
/// overtake each other, so each that is in flight needs a tag of its own. Every MPI has tags up to
/// 32767.
constexpr int message_tag(std::uint64_t index) { return static_cast<int>(index % 32768); }

}  // namespace lapwing
