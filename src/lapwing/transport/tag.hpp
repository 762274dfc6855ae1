#pragma once

#include <cstdint>

namespace lapwing {

/// The tag of a stream's message `index`. Messages of unequal size can take different protocols and
/// overtake each other, so each in flight needs a tag of its own; every MPI has tags up to 32767.
constexpr int message_tag(std::uint64_t index) { return static_cast<int>(index % 32768); }

}  // namespace lapwing
