#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/operation.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Any source, any tag: what a receive may ask for.
inline constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();

/// One operation of a rank.
struct Node {
    Operation operation = Operation::calculation;
    std::uint8_t pair = 0;  ///< its processor and interface: which of `Graph::pairs`
    bool is_receive_overhead =
        false;               ///< of a calculation: what the processor does about a message
    std::uint32_t peer = 0;  ///< rank that it sends to or receives from
    std::uint32_t tag = 0;
    std::uint64_t size = 0;  ///< bytes of a message, ticks of a calculation
};

/// One operation that waits for another of the same rank.
struct Requirement {
    std::uint32_t operation = 0;  ///< the one that waits
    std::uint32_t on = 0;
    bool started = false;  ///< until that has started; otherwise until it has ended
};

/// A schedule written out: operations and what each waits for. Those of a rank follow each other.
struct Graph {
    struct Program {
        std::uint32_t first = 0;  ///< its first operation
        std::uint32_t count = 0;
    };
    std::vector<Program> ranks;
    std::vector<Node> nodes;
    std::vector<Requirement> requirements;
    /// Processor and interface that operations use, as they are numbered in the schedule.
    std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs{{0, 0}};
};

/// The processors and interfaces of `Graph::pairs`, each numbered from 0 without gaps.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> numbered_pairs(
    const Graph& graph);

}  // namespace lapwing::simulate
