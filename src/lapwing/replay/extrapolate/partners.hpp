#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "lapwing/record/recording.hpp"

namespace lapwing::replay {

/// With whom a rank communicates, and the first record that says so.
struct Partners {
    struct Communicator {
        std::vector<record::Run> members{};
        std::uint64_t record = 0;
    };
    std::map<std::uint64_t, std::uint64_t> ranks{};  ///< rank, and the number of its first record
    std::vector<Communicator> communicators{};       ///< those with the same members once
};

/// Those of each rank of a recording.
[[nodiscard]] std::vector<Partners> partners(const record::Recording& recording);

}  // namespace lapwing::replay
