#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing::compress {

/// What one message of the pipeline carries, and what it stands for.
struct MessageBuffer {
    std::vector<std::byte> bytes;
    std::uint64_t steps = 0;       ///< of the pipeline, that have filled it
    std::uint64_t represents = 0;  ///< bytes of the input, all ranks together

    void clear() {
        bytes.clear();
        steps = 0;
        represents = 0;
    }
};

}  // namespace lapwing::compress
