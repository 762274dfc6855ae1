#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/operation.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Any source or any tag, of a receive.
inline constexpr std::uint32_t any = std::numeric_limits<std::uint32_t>::max();

/// One operation of a rank.
struct Node {
    Operation operation = Operation::calculation;
    std::uint8_t pair = 0;  ///< its processor and interface: index of `Graph::pairs`
    bool is_receive_overhead =
        false;               ///< a calculation stands for the receive overhead of a message
    std::uint32_t peer = 0;  ///< rank that it sends to or receives from, or `any`
    std::uint32_t tag = 0;
    std::uint64_t size = 0;  ///< bytes of a message, nanoseconds of a calculation
};

/// An operation waits for another one of its rank.
struct Requirement {
    std::uint32_t operation = 0;  ///< the one that waits
    std::uint32_t on = 0;
    bool started = false;  ///< it waits for the start of the other; otherwise for its end
};

/// A schedule that is written out: operations, and what each waits for. Operations of a rank are
/// next to each other.
struct Graph {
    struct Program {
        std::uint32_t first = 0;  ///< its first operation
        std::uint32_t count = 0;
    };
    std::vector<Program> ranks;
    std::vector<Node> nodes;
    std::vector<Requirement> requirements;
    /// Pairs of a processor and an interface that operations use, as the schedule numbers them.
    std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs{{0, 0}};
};

/// The place in `Graph::pairs` of a processor and an interface, which are added if they are new.
/// None if there are 256 other pairs.
[[nodiscard]] std::optional<std::uint8_t> pair_of(Graph& graph, std::uint8_t processor,
                                                  std::uint8_t interface);

/// The processors and interfaces of `Graph::pairs`, each numbered from 0 without gaps.
[[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> numbered_pairs(
    const Graph& graph);

}  // namespace lapwing::simulate
