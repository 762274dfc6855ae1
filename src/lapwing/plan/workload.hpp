#pragma once

#include <cstdint>

namespace lapwing {

/// How the messages of a workload run between ranks.
enum class Pattern {
    stream,  ///< one rank sends, the other receives
};

/// Which side of a message the computation is on.
enum class Direction {
    fetch,    ///< receive, then consume (Iancu, templates C and E)
    produce,  ///< compute, then send (Hoefler's pipeline)
};

/// What is to be communicated, and what there is to hide it behind.
struct Workload {
    std::uint64_t volume = 0;  ///< bytes in all
    double compute = 0;        ///< seconds of computation in all (t_V)
    std::uint64_t grain = 1;   ///< bytes; messages are cut at its multiples
    Pattern pattern = Pattern::stream;
    Direction direction = Direction::fetch;
};

}  // namespace lapwing
