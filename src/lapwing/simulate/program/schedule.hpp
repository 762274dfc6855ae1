#pragma once

#include <concepts>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// What a rank does at once: it posts receives, starts sends, and goes on when all of them have
/// ended.
struct Step {
    std::uint32_t sends = 0;
    std::uint32_t receives = 0;
    bool alternating = false;  ///< in the order send, receive, send, …; otherwise all sends first
    /// The receives of the next step are posted together with those of this one: the rank has two
    /// buffers, and messages of the next step can arrive meanwhile.
    bool ahead = false;
};

/// A message, at its sender.
struct Send {
    Rank to = 0;
    std::uint64_t bytes = 0;
    std::uint32_t key = 0;  ///< the step of its receiver that receives it
};

/// A message, at its receiver.
struct Receive {
    Rank from = 0;
    std::uint64_t bytes = 0;
};

/// What each rank does, step by step. It is generated as the simulation asks for it, and never
/// stored.
template <class S>
concept Schedule = requires(const S& schedule, Rank rank, std::uint32_t step, std::uint32_t index) {
    { schedule.ranks() } -> std::convertible_to<std::uint32_t>;
    { schedule.steps(rank) } -> std::convertible_to<std::uint32_t>;
    { schedule.step(rank, step) } -> std::same_as<Step>;
    { schedule.send(rank, step, index) } -> std::same_as<Send>;
    { schedule.receive(rank, step, index) } -> std::same_as<Receive>;
};

}  // namespace lapwing::simulate
