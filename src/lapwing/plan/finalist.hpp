#pragma once

#include <cstdint>
#include <limits>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/peer_order.hpp"

namespace lapwing {

/// A way to run a workload that may be the best.
struct Finalist {
    Messages messages;
    int window = 1;
    PeerOrder order = PeerOrder::contiguous;
    bool in_bursts = false;  ///< of half a window; otherwise messages are initiated one by one
    friend bool operator==(const Finalist&, const Finalist&) = default;

    /// Messages of a burst; 0 where they are initiated one by one.
    [[nodiscard]] int burst() const { return in_bursts ? window / 2 : 0; }
};

/// What no finalist may exceed.
struct FinalLimits {
    std::uint64_t peers = 1;    ///< that share the window
    std::uint64_t largest = 0;  ///< bytes of a message, but for one that is all there is
    int deepest = 1;            ///< messages in flight
    /// Bytes of them, about, that were seen to be of use in a long exchange. What is initiated
    /// before the first computation hides nothing, so that of a short one it is no more than a
    /// sixteenth, or two messages.
    double in_flight = std::numeric_limits<double>::infinity();
    bool any_size = true;  ///< not only those measured, and halves and doubles of finalists
    bool bursts = false;   ///< whether that they are initiated in bursts is a choice
};

/// The widest window for these messages: as many of them as there may be bytes in flight.
[[nodiscard]] int widest(const Messages& messages, const FinalLimits& limits);

/// The finalist with a window that is within the limits: two bursts of it where there are any, at
/// least two messages where that is no choice; and of one message each in the one order there is.
[[nodiscard]] Finalist within(Finalist finalist, const FinalLimits& limits);

}  // namespace lapwing
