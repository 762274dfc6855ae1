#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// The same bytes in half as many messages: every two in a row become one. An odd last one stays.
[[nodiscard]] inline Messages merged_pairs(const Messages& messages) {
    // Run by run: there may be very many messages.
    Messages together(messages.grain());
    std::uint64_t waiting = 0;  // bytes of a message whose partner is still to come
    for (auto [size, count] : messages.runs()) {
        if (waiting > 0) {
            together.append(waiting + size);
            --count;
        }
        together.append(2 * size, count / 2);
        waiting = count % 2 * size;
    }
    together.append(waiting);
    return together;
}

/// The same bytes in twice as many messages: each is two of as equal size as the grain lets them
/// be, the first the larger one. Those of one grain stay whole.
[[nodiscard]] inline Messages halved(const Messages& messages) {
    const std::uint64_t grain = messages.grain();
    Messages apart(grain);
    for (const auto& [size, count] : messages.runs()) {
        const std::uint64_t grains = (size + grain - 1) / grain;
        const std::uint64_t first = std::min(size, (grains + 1) / 2 * grain);
        if (size % first == 0) {  // stays whole, or becomes two equal ones
            apart.append(first, size / first * count);
            continue;
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            apart.append(first);
            apart.append(size - first);
        }
    }
    return apart;
}

/// The same bytes in `count` (2 or more) messages as equal as the grain lets them be, the last of
/// `quarters` quarters of the others' size. Nothing hides the last one. Fewer messages where there
/// are fewer grains.
[[nodiscard]] inline Messages with_short_last(const Messages& messages, std::uint64_t count,
                                              std::uint64_t quarters = 4) {
    const std::uint64_t grain = messages.grain();
    const std::uint64_t grains = (messages.volume() + grain - 1) / grain;
    const std::uint64_t all = 4 * (count - 1) + quarters;
    return Messages::uniform(messages.volume(), (4 * grains + all - 1) / all * grain, grain);
}

}  // namespace lapwing
