#pragma once

#include <span>

namespace lapwing::model {

/// One hop of a transfer: between two levels of the memory, or over the wire.
struct Hop {
    double bytes = 0;       ///< bytes moved, unneeded ones included
    double throughput = 0;  ///< bytes a second
};

/// The copy-transfer model: the sum of bytes over throughput of all hops, seconds (Stricker, Gross
/// 1995; Cameron 2007, section 5).
[[nodiscard]] constexpr double copy_transfer(std::span<const Hop> hops) {
    double sum = 0;
    for (const auto& hop : hops) sum += hop.bytes / hop.throughput;
    return sum;
}

}  // namespace lapwing::model
