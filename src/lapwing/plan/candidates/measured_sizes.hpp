#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing {

/// The `count` largest of the measured `sizes` (increasing) that are not above `most`, in whole
/// grains, largest first; all bytes.
[[nodiscard]] inline std::vector<std::uint64_t> measured_sizes(
    const std::vector<std::uint64_t>& sizes, std::uint64_t most, std::uint64_t grain,
    std::size_t count) {
    std::vector<std::uint64_t> found;
    for (auto size = sizes.rbegin(); size != sizes.rend() && found.size() < count; ++size) {
        const std::uint64_t whole = *size / grain * grain;
        const bool again = !found.empty() && whole == found.back();
        if (whole > 0 && whole <= most && !again) found.push_back(whole);
    }
    return found;
}

}  // namespace lapwing
