#include "lapwing/plan/candidates/ramps.hpp"

#include <cstddef>
#include <vector>

namespace lapwing {

Messages ramp_up_down(std::uint64_t volume, std::uint64_t grain, std::uint64_t largest) {
    // Messages of less than a 64th of the largest cost more overhead than they hide.
    constexpr std::uint64_t smallest_share = 64;
    std::vector<std::uint64_t> ramp;
    std::uint64_t sum = 0;
    for (std::uint64_t size = grain; size < largest && 2 * (sum + size) < volume; size *= 2) {
        if (size * smallest_share < largest) continue;
        ramp.push_back(size);
        sum += size;
    }
    Messages messages(grain);
    for (const std::uint64_t size : ramp) messages.append(size);
    const std::uint64_t middle = (volume - 2 * sum) / grain * grain;
    messages.append(largest, middle / largest);
    messages.append(middle % largest);
    for (std::size_t i = ramp.size(); i-- > 0;) messages.append(ramp[i]);
    messages.extend_last(volume - messages.volume());
    return messages;
}

}  // namespace lapwing
