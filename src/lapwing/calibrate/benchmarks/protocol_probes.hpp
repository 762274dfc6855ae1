#pragma once

#include <cstdint>

#include "lapwing/calibrate/ranks/pair_messages.hpp"

namespace lapwing {

// What shows how a transport moves a message. Both ranks call each; the result is rank 0's.

/// Seconds of a receive that is posted `late` seconds after the message of `size` bytes was sent.
/// If the message has arrived meanwhile, they are those of a copy. If its sender had to wait for
/// the receive, they are those of its whole way.
double late_receive(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, double late);

/// Seconds of a send of `size` bytes by rank 0 whose receive is posted `late` seconds after it
/// began. They are next to none if the send does not wait for the receive.
double early_send(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, double late);

/// Seconds of `count` messages of `size` bytes to rank 0 with `window` of them outstanding on both
/// ranks.
double windowed_flood(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, std::uint64_t count,
                      int window);

/// Seconds from the first of `burst` sends of `size` bytes by rank 0 to the completion of the last.
/// The receives are posted.
double burst_completion(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, int burst);

}  // namespace lapwing
