#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lapwing::tools {

/// What `doctor` looks at.
struct ExaminationOptions {
    std::vector<std::string> transports;  ///< names; empty: all there are
    std::vector<std::uint64_t> sizes = {1 << 10, 32 << 10, 1 << 20, 4 << 20};  ///< bytes
    double seconds = 20;                                                       ///< to take, about
};

}  // namespace lapwing::tools
