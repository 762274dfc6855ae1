#pragma once

#include <cstdint>

#include "lapwing/plan/messages.hpp"
#include "lapwing/transport/tag.hpp"

namespace lapwing {

/// The tag of message `index` of a stream that is cut into `messages`, on both sides. By that of
/// the first one the receiver sees whether both sides cut it alike. For a program that sends to
/// `stream` by hand, as out of a `pipeline`.
inline int stream_tag(const Messages& messages, std::uint64_t index) {
    return index == 0 ? first_message_tag(messages.fingerprint()) : message_tag(index);
}

}  // namespace lapwing
