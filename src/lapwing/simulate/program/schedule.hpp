#pragma once

#include <concepts>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// What a rank does at once: it posts receives, starts sends, and goes on when all have ended.
struct Step {
    std::uint32_t sends = 0;
    std::uint32_t receives = 0;
    bool alternating = false;  ///< listed send, receive, send, …; otherwise all sends come first
    /// The receives of the next step are posted together with its own, so that what they are for
    /// can come meanwhile: the rank has two buffers.
    bool ahead = false;
};

/// A message as its sender sees it.
struct Send {
    Rank to = 0;
    std::uint64_t bytes = 0;
    std::uint32_t key = 0;  ///< the receiver's step that receives it
};

/// A message as its receiver sees it.
struct Receive {
    Rank from = 0;
    std::uint64_t bytes = 0;
};

/// What each rank does, step by step; asked for as it is played, so nothing is stored.
template <class S>
concept Schedule = requires(const S& schedule, Rank rank, std::uint32_t step, std::uint32_t index) {
    { schedule.ranks() } -> std::convertible_to<std::uint32_t>;
    { schedule.steps(rank) } -> std::convertible_to<std::uint32_t>;
    { schedule.step(rank, step) } -> std::same_as<Step>;
    { schedule.send(rank, step, index) } -> std::same_as<Send>;
    { schedule.receive(rank, step, index) } -> std::same_as<Receive>;
};

}  // namespace lapwing::simulate
