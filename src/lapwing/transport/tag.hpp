#pragma once

#include <cstdint>

namespace lapwing {

/// Every MPI has tags up to 32767. The upper half is that of first messages (`first_message_tag`).
constexpr std::uint64_t message_tags = 16384;

/// The tag of message `index` of a stream. Messages of unequal size may use different protocols and
/// overtake each other, so each that is in flight needs a tag of its own.
constexpr int message_tag(std::uint64_t index) { return static_cast<int>(index % message_tags); }

/// The tag of the first message of a stream whose sizes have this `fingerprint`: the receiver sees
/// by it whether it expects the same ones.
constexpr int first_message_tag(std::uint64_t fingerprint) {
    return static_cast<int>(message_tags + fingerprint % message_tags);
}

}  // namespace lapwing
