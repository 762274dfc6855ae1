#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::simulate {

/// Bytes that an operation of a graph takes at least: itself, and its line of a text, which is made
/// and handed on.
inline constexpr std::uint64_t bytes_of_written_operation = sizeof(Node) + std::uint64_t{2} * 24;

/// Throws `std::invalid_argument` if a schedule that is written out takes more than `available`
/// bytes of memory, or has more operations than a `Graph` numbers.
template <Schedule S>
void require_memory_for_graph(const S& schedule, std::uint64_t available) {
    constexpr std::uint64_t numbers = std::numeric_limits<std::uint32_t>::max();
    const std::uint64_t room = std::min(available / bytes_of_written_operation, numbers);
    std::uint64_t operations = 0;
    for (Rank rank = 0; rank < schedule.ranks(); ++rank) {
        for (std::uint32_t k = 0; k < schedule.steps(rank) && operations <= room; ++k) {
            const Step step = schedule.step(rank, k);
            operations += std::uint64_t{step.sends} + step.receives;
        }
        if (operations <= room) continue;
        std::ostringstream text;
        text.precision(3);
        text << "written out, the operations of " << schedule.ranks() << " ranks are more than ";
        if (room == numbers) {
            text << numbers;
        } else {
            text << "the " << static_cast<double>(available) / (1U << 30U)
                 << " GB of memory that are left hold";
        }
        text << ": take fewer ranks, or an algorithm that sends less";
        throw std::invalid_argument(text.str());
    }
}

}  // namespace lapwing::simulate
