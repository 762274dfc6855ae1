#pragma once

#include <cstdint>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// What a collective costs a rank besides its messages, and how far from a prediction measurements
/// are. Measured collectives tell all of it, two ranks all of it but skew and interval.
struct CollectiveCosts {
    /// Of combining what has arrived with a rank's own data, as a reduction does: seconds per byte.
    double combine = 0;
    /// Of copying, in seconds per byte. A rank copies its own data to where the collective needs
    /// it. It copies scattered blocks into a message, and out of one.
    double copy = 0;
    /// Of copying by the ranks of a node together, as many as there are: seconds per byte of all of
    /// them. It is what the node's memory allows, and 0 where that is no limit or unknown.
    double node_copy = 0;
    /// Of a message of scattered blocks, besides that copying: seconds. The library lists its
    /// blocks, as a derived type or by itself, at both ends.
    double pack = 0;
    /// How much longer a message takes if its sender receives another meanwhile: seconds, and
    /// seconds per byte. Links and memory serve both directions at less than twice the rate of one.
    double exchange = 0;
    double exchange_per_byte = 0;
    /// How much longer its receiver takes for a message that came before its receive was posted:
    /// seconds, and seconds per byte. It is found in the queue of unexpected messages and copied
    /// out of the library's buffer. A message beyond the eager limit waits for its receive instead.
    double unexpected = 0;
    double unexpected_per_byte = 0;
    /// Of a temporary buffer of 32 MB or more: seconds per byte. The C library asks the system for
    /// such memory in each call, and gives it back (its largest threshold for `mmap`). The system
    /// provides it page by page, on first touch.
    double fresh = 0;
    /// How much later the last rank is done than messages alone tell. Ranks begin one after
    /// another, and benchmarks report the slowest. Seconds: `skew + skew_per_doubling log2 P`.
    double skew = 0;
    double skew_per_doubling = 0;
    /// Nine of ten measured times lie between these multiples of the prediction.
    double low = 1;
    double high = 1;

    /// The costs if `ranks` of a node do the same at once, as in most collectives. Copying and
    /// combining may then wait for the node's memory.
    [[nodiscard]] CollectiveCosts among(std::uint64_t ranks) const {
        CollectiveCosts costs = *this;
        const double shared = node_copy * static_cast<double>(ranks);
        if (shared <= copy) return costs;
        costs.copy = shared;
        if (copy > 0) costs.combine *= shared / copy;
        return costs;
    }
    /// The least time of a byte of a message within a node, if `ranks` of the node send at once.
    /// The sender copies it to shared memory, and the receiver copies it from there.
    [[nodiscard]] double message_among(std::uint64_t ranks) const {
        return 2 * node_copy * static_cast<double>(ranks);
    }

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("combine", self.combine, fields::Cost{});
        visit("copy", self.copy, fields::Cost{});
        visit("node_copy", self.node_copy, fields::DefaultCost{});
        visit("pack", self.pack, fields::Cost{});
        visit("exchange", self.exchange, fields::Cost{});
        visit("exchange_per_byte", self.exchange_per_byte, fields::Cost{});
        visit("unexpected", self.unexpected, fields::DefaultCost{});
        visit("unexpected_per_byte", self.unexpected_per_byte, fields::DefaultCost{});
        visit("fresh", self.fresh, fields::Cost{});
        visit("skew", self.skew, fields::Cost{});
        visit("skew_per_doubling", self.skew_per_doubling, fields::Cost{});
        visit("low", self.low, fields::Cost{});
        visit("high", self.high, fields::Cost{});
    }
};

}  // namespace lapwing
