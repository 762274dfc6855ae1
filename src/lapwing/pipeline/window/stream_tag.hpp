#pragma once

#include <cstdint>

#include "lapwing/plan/messages.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// The tag of message `index` of a stream that is cut into `messages`, on both sides. Where `T` can
/// check streams, the receiver sees by that of the first one whether both sides cut it alike. For a
/// program that sends to `stream` by hand, as out of a `pipeline`.
template <Transport T>
int stream_tag(const T& /*transport*/, const Messages& messages, std::uint64_t index) {
    if constexpr (ChecksStreams<T>) {
        if (index == 0) return first_message_tag(messages.fingerprint());
    }
    return message_tag(index);
}

}  // namespace lapwing
