#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "lapwing/plan/candidates/chain.hpp"
#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// What the kinds of partition take, each at its best: seconds, infinite where there is none.
struct PartitionTimes {
    double whole = std::numeric_limits<double>::infinity();
    double equal = std::numeric_limits<double>::infinity();
    double unequal = std::numeric_limits<double>::infinity();
    std::uint64_t size = 0;  ///< of the equal messages, bytes
};

/// The fastest of some partitions of a volume.
struct Partition {
    Messages messages;
    double seconds = 0;
    PartitionTimes times;

    /// Takes another partition of the volume if it is worth its messages.
    void offer(const Partition& other);
    /// Takes equal messages of `size` bytes, `takes` seconds, if they are worth it.
    void offer_equal(std::uint64_t size, double takes, std::uint64_t grain);
};

/// What partitions take, seconds: any messages, and equal ones of so many bytes.
struct PartitionSeconds {
    std::function<double(const Messages&)> of;
    std::function<double(std::uint64_t)> of_equal;
};

/// The fastest partition of the chain's volume: whole, as the chain cuts it, or into equal
/// messages, at multiples of `grain` bytes. More messages must save time that is worth their
/// number.
[[nodiscard]] Partition best_partition(const Chain& chain, std::uint64_t grain,
                                       const PartitionSeconds& seconds);

}  // namespace lapwing
