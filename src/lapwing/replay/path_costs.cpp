#include "lapwing/replay/path_costs.hpp"

#include <algorithm>

namespace lapwing::replay {
namespace {

using simulate::Rank;

double nanoseconds(simulate::Time ticks) {
    return static_cast<double>(ticks) / simulate::MeasuredMachine::nanosecond;
}

}  // namespace

MessageCost LogGOPSPathCosts::message(Rank from, Rank to, std::uint64_t bytes) const {
    const auto beyond_the_first = static_cast<double>(bytes > 0 ? bytes - 1 : 0);
    const bool rendezvous = machine_.rendezvous(from, to, bytes);
    return {.send = static_cast<double>(machine_.o) +
                    beyond_the_first * static_cast<double>(machine_.O),
            .flight = static_cast<double>(machine_.L) +
                      beyond_the_first * static_cast<double>(machine_.G),
            .receive = static_cast<double>(machine_.o) +
                       beyond_the_first * static_cast<double>(machine_.O),
            .waits = rendezvous,
            .blocks = rendezvous};
}

MessageCost MeasuredPathCosts::message(Rank from, Rank to, std::uint64_t bytes) const {
    const auto cost = machine_.cost(from, to, bytes);
    const auto between = cost.latency + cost.wire - cost.early - cost.overlap - cost.head_start;
    return {.send = nanoseconds(cost.send),
            .flight = std::max(0.0, nanoseconds(between)),
            .receive = nanoseconds(cost.receive),
            .waits = machine_.waits(bytes),
            .blocks = machine_.rendezvous(from, to, bytes)};
}

}  // namespace lapwing::replay
