#pragma once

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/available_memory.hpp"
#include "lapwing/simulate/program/schedule.hpp"

namespace lapwing::simulate {

/// The most sends of a rank that start together: those of one step. Of a rank with more than 64
/// steps only the first and the last are looked at.
template <Schedule S>
[[nodiscard]] std::uint32_t most_sends(const S& schedule, Rank rank) {
    constexpr std::uint32_t few = 64;
    const std::uint32_t steps = schedule.steps(rank);
    if (steps == 0) return 0;
    const std::uint32_t stride = steps <= few ? 1 : steps - 1;
    std::uint32_t most = 0;
    for (std::uint32_t step = 0; step < steps; step += stride)
        most = std::max(most, schedule.step(rank, step).sends);
    return most;
}

/// Throws `std::invalid_argument` if the messages of a schedule take more than `available` bytes of
/// memory. A rank starts all sends of a step before it receives anything. So the messages of all
/// ranks in a step are under way at once. Each of them waits somewhere, as a `Pending` at least.
template <Schedule S>
void require_memory(const S& schedule, std::uint64_t available) {
    const std::uint64_t room = available / sizeof(Pending);
    std::uint64_t messages = 0;
    for (Rank rank = 0; rank < schedule.ranks(); ++rank) {
        messages += most_sends(schedule, rank);
        if (messages <= room) continue;
        std::ostringstream text;
        text.precision(3);
        text << "the messages that " << schedule.ranks()
             << " ranks have under way at once take more than the "
             << static_cast<double>(available) / (1U << 30U)
             << " GB of memory that are left: take fewer ranks, or an algorithm that sends less at "
                "once";
        throw std::invalid_argument(text.str());
    }
}

}  // namespace lapwing::simulate
