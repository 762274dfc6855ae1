#pragma once

#include <cstdint>

#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/profile/collective_costs.hpp"

namespace lapwing {

/// What a message takes alone, and what it takes while its sender receives another: seconds.
struct ExchangeTimes {
    std::uint64_t size = 0;  ///< bytes
    Estimate alone;          ///< half a round trip
    Estimate exchange;       ///< from one exchange to the next
};

/// What a message takes its receiver by when the receive is posted: seconds.
struct ArrivalTimes {
    std::uint64_t size = 0;  ///< bytes
    Estimate expected;       ///< before it arrives
    Estimate unexpected;     ///< after it has arrived
};

/// What a rank's work on its own memory takes, seconds.
struct LocalWorkTimes {
    std::uint64_t bytes = 0;         ///< that are combined, and copied
    Estimate combine;                ///< combining them with others
    Estimate copy;                   ///< copying them
    Estimate blocks;                 ///< packing some blocks that do not lie together
    Estimate whole;                  ///< packing as many bytes that do
    std::uint64_t buffer_bytes = 0;  ///< of a large buffer
    Estimate fresh;                  ///< taking it from the system, touching it, giving it back
    Estimate kept;                   ///< touching one that is kept
};

/// The costs of collectives that two ranks show, each a difference beyond its own uncertainty
/// (`excess`). `longest`: of messages whose bytes take G seconds each in a flood. Links with a
/// token bucket are faster after a rest. There half a round trip is shorter than that, and an
/// exchange that keeps them busy does not show its own cost.
///
/// `exchange` is what the shortest message takes longer, `exchange_per_byte` what each byte of the
/// longest does. `pack` is for both ends. The skew of many ranks is 0: two do not show it.
CollectiveCosts collective_costs(const LocalWorkTimes& work, const ExchangeTimes& shortest,
                                 const ExchangeTimes& longest, double G);

/// Sets `unexpected` and `unexpected_per_byte`, what a message takes its receiver longer if it was
/// there before its receive. `shortest` tells the first, and `longest` what each byte takes
/// besides; none is set that its own uncertainty hides.
void set_unexpected(CollectiveCosts& costs, const ArrivalTimes& shortest,
                    const ArrivalTimes& longest);

/// `CollectiveCosts::node_copy` of a node whose `ranks` copy `bytes` each: 0 unless a copy takes
/// longer `together` than `alone`, beyond what both are uncertain by. The times are of the slowest.
double node_copy(const Estimate& alone, const Estimate& together, int ranks, std::uint64_t bytes);

}  // namespace lapwing
