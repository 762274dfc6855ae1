#include "lapwing/plan/candidates/neighbours.hpp"

#include <cstdint>

namespace lapwing {

// Run by run: there may be very many messages.

Messages merged_pairs(const Messages& messages) {
    Messages together(messages.grain());
    std::uint64_t waiting = 0;  // bytes of a message whose partner is still to come
    for (auto [size, count] : messages.runs()) {
        if (waiting > 0) {
            together.append(waiting + size);
            waiting = 0;
            --count;
        }
        together.append(2 * size, count / 2);
        if (count % 2 == 1) waiting = size;
    }
    together.append(waiting);
    return together;
}

Messages halved(const Messages& messages) {
    const std::uint64_t grain = messages.grain();
    Messages apart(grain);
    for (const auto& [size, count] : messages.runs()) {
        const std::uint64_t grains = (size + grain - 1) / grain;
        const std::uint64_t first = (grains + 1) / 2 * grain;
        if (grains < 2) {
            apart.append(size, count);
        } else if (2 * first == size) {
            apart.append(first, 2 * count);
        } else {
            for (std::uint64_t i = 0; i < count; ++i) {
                apart.append(first);
                apart.append(size - first);
            }
        }
    }
    return apart;
}

Messages with_short_last(const Messages& messages, std::uint64_t count, std::uint64_t quarters) {
    const std::uint64_t grain = messages.grain();
    const std::uint64_t grains = (messages.volume() + grain - 1) / grain;
    const std::uint64_t all = 4 * (count - 1) + quarters;
    return Messages::uniform(messages.volume(), (4 * grains + all - 1) / all * grain, grain);
}

}  // namespace lapwing
