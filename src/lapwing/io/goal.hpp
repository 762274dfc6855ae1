#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lapwing/simulate/program/graph.hpp"

namespace lapwing {

/// Reads a schedule in the GOAL text format (Hoefler, Siebert, Lumsdaine 2009), the dialect of
/// LogGOPSim: `num_ranks N`, then for each rank a block `rank R { … }` of lines
///
///     LABEL: send BYTESb to RANK [tag T] [cpu C] [nic K]
///     LABEL: recv BYTESb from RANK|-1 [tag T|-1] [cpu C] [nic K]
///     LABEL: calc NANOSECONDS [cpu C] [nic K]
///     LABEL requires LABEL         starts after the other has ended
///     LABEL irequires LABEL        starts after the other has started
///
/// An operation needs no label; comments are `//` and `/* */`; -1 is any rank or any tag. Throws
/// `std::runtime_error` with one line, "line 3, column 7: " and what is wrong there.
[[nodiscard]] simulate::Graph goal_from_text(std::string_view text);

/// Whether a file begins like a schedule in the binary format of LogGOPSim, which its `txt2bin`
/// writes.
[[nodiscard]] bool is_binary_goal(std::span<const std::uint8_t> file);

/// Reads a schedule in this format. Takes no more memory than the file has bytes, times a small
/// factor. Throws `std::runtime_error` with one line, "rank 3, operation 17: " and what is wrong
/// there; a rank's operations are counted from 1.
[[nodiscard]] simulate::Graph goal_from_binary(std::span<const std::uint8_t> file);

/// Whether a file is a schedule in either format, by its first word.
[[nodiscard]] bool is_goal(std::span<const std::uint8_t> file);

/// Reads the GOAL file at `path`, text or binary. Throws as `goal_from_text` and
/// `goal_from_binary`, with the path in front.
[[nodiscard]] simulate::Graph load_goal(const std::string& path);

/// The schedule as a text in the GOAL format.
[[nodiscard]] std::string to_goal(const simulate::Graph& graph);

}  // namespace lapwing
