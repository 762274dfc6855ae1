#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace lapwing::compress {

/// One message of the pipeline, and how much input it stands for.
struct MessageBuffer {
    std::vector<std::byte> bytes;
    std::uint64_t steps = 0;       ///< steps of the pipeline that have filled it
    std::uint64_t represents = 0;  ///< bytes of the input, of all ranks together

    void clear() {
        bytes.clear();
        steps = 0;
        represents = 0;
    }
};

}  // namespace lapwing::compress
