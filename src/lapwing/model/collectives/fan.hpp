#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/arrivals.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The numbers of other ranks on a rank's own node, and on other nodes.
struct OtherRanks {
    double within = 0;
    double between = 0;
};
[[nodiscard]] inline OtherRanks other_ranks(const Network& network, std::uint64_t ranks) {
    const std::uint64_t near = std::min(ranks, network.ranks_per_node) - 1;
    return {static_cast<double>(near), static_cast<double>(ranks - 1 - near)};
}

/// One rank sends a message of `size` bytes to each other: `o_s + (P-2) max(o_s, G m) + L + G m +
/// o_r`. Ranks on its own node come first.
[[nodiscard]] inline double fan_out(const Network& network, std::uint64_t ranks, double size) {
    if (ranks < 2) return 0;
    const auto [within, between] = other_ranks(network, ranks);
    const MessageCost at_hand = network.within(size);
    double last =
        within == 0 ? 0 : within * at_hand.send + at_hand.latency + at_hand.wire + at_hand.receive;
    if (between == 0) return last;
    const MessageCost cost = network.between(size);
    const double start =
        within * at_hand.send + cost.send + (between - 1) * std::max(cost.send, cost.wire);
    return std::max(last, start + cost.latency + cost.wire + cost.receive);
}

/// Seconds of a processor for a message that came while it was busy: with the copy of an unexpected
/// message, unless the receive was posted like all others.
[[nodiscard]] inline double late_receive(const MessageCost& cost, Receives receives) {
    return cost.receive + (receives == Receives::in_turn ? cost.unexpected : 0);
}

/// All other ranks send a message of `size` bytes to one rank at once. It receives them in the
/// reverse order of their arrival, so it waits for the last and then processes all others. `o_s + L
/// + (P-1)(G m + o_r)`. If it receives in turn, the others were there before their receives: each
/// takes u longer.
[[nodiscard]] inline double fan_in_reversed(const Network& network, std::uint64_t ranks,
                                            double size, Receives receives = Receives::in_turn) {
    if (ranks < 2) return 0;
    const auto [within, between] = other_ranks(network, ranks);
    const MessageCost at_hand = network.within(size);
    const double again = late_receive(at_hand, receives);
    const double here = at_hand.total() + std::max(0.0, within - 1) * again;
    if (between == 0) return here;
    const MessageCost cost = network.between(size);
    const double there = cost.total() + (between - 1) * (cost.wire + late_receive(cost, receives));
    return std::max(here, there + within * again);
}

/// The same if the rank receives messages in the order of their arrival: `o_s + L + G m + o_r +
/// (P-2) max(G m, o_r)`. On a shared interface all arrive together. If it receives in turn
/// and its processor is slower than the wire, messages are there before their receives, and each
/// takes u longer.
[[nodiscard]] inline double fan_in(const Network& network, std::uint64_t ranks, double size,
                                   Receives receives = Receives::in_turn) {
    if (ranks < 2) return 0;
    if (network.sharing) return fan_in_reversed(network, ranks, size, receives);
    const auto [within, between] = other_ranks(network, ranks);
    const MessageCost at_hand = network.within(size);
    const double again = late_receive(at_hand, receives);
    const double here = at_hand.total() + std::max(0.0, within - 1) * again;
    if (between == 0) return here;
    const MessageCost cost = network.between(size);
    const double received = cost.wire < cost.receive ? late_receive(cost, receives) : cost.receive;
    const double there = cost.total() + (between - 1) * std::max(cost.wire, received);
    const double processor = cost.total() + (between - 1) * received + within * again;
    return within == 0 ? there : std::max({here, there, processor});
}

/// The same if each message waits for its receive, and the rank asks for one after another: `o_s +
/// (P-1) (L + G m + o_r)`.
[[nodiscard]] inline double fan_in_awaited(const Network& network, std::uint64_t ranks,
                                           double size) {
    if (ranks < 2) return 0;
    const auto [within, between] = other_ranks(network, ranks);
    const MessageCost near = network.within(size);
    const MessageCost far = network.between(size);
    return (within > 0 ? near : far).send + within * near.awaited() + between * far.awaited();
}

}  // namespace lapwing::model
