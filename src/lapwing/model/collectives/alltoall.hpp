#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/ports.hpp"
#include "lapwing/model/collectives/recursive_doubling.hpp"
#include "lapwing/model/collectives/rounds.hpp"

/// All-to-alls: seconds until the last rank has received all. `size`: bytes from each rank to each
/// other.
namespace lapwing::model::alltoall {

/// Rounds of `window` messages at once each way, from the rank before oneself on. A round of `w`
/// messages takes the longest of these times: all sends and receives on the processor, `w (o_s +
/// o_r)`; the first message and all receives, `T(m) + (w-1) o_r`; the messages one after another
/// through the interface, `T(m) + (w-1) max(o_s, G m)`, and the `incast_delay`. Exact with one rank
/// a node where processors are slower than the wire. With several ranks a node an approximation, in
/// which all their messages leave at once.
[[nodiscard]] inline double staggered(const Network& network, std::uint64_t ranks,
                                      std::uint64_t size, std::uint64_t window) {
    if (ranks < 2) return 0;
    const auto bytes = static_cast<double>(size);
    const std::uint64_t node = std::min(network.ranks_per_node, ranks);
    const MessageCost far = network.between(bytes);
    const MessageCost near = network.within(bytes);
    // The messages of a rank to its own node.
    const double share_near = static_cast<double>(node - 1) / static_cast<double>(ranks - 1);
    const auto round = [&](std::uint64_t messages) {
        const auto all = static_cast<double>(messages);
        const double within = all * share_near;
        const double between = all - within;
        const double sends = within * near.send + between * far.send;
        const double receives = within * near.receive + between * far.receive;
        const MessageCost& one = ranks > node ? far : near;
        double last =
            std::max(sends + receives, one.total() + std::max(0.0, receives - one.receive));
        if (ranks == node) return std::max(last, sends + near.total() - near.send);
        const double queue = (between * static_cast<double>(node) - 1) * far.wire;
        const double held = network.sharing ? 0 : incast_delay(between);
        const double through =
            std::max(sends - far.send, queue) + held * std::max(0.0, far.wire - far.send);
        return std::max(last, far.total() + through);
    };
    const std::uint64_t most = std::min(window, ranks - 1);
    const std::uint64_t rounds = (ranks - 1) / most;
    const std::uint64_t rest = (ranks - 1) % most;
    return static_cast<double>(rounds) * round(most) + (rest > 0 ? round(rest) : 0);
}

/// All messages at once: `max(T(m) + (P-2) max(G m, o_s, o_r), (P-1) (o_s + o_r))`, and the
/// `incast_delay`. Exact where `staggered` is.
[[nodiscard]] inline double linear(const Network& network, std::uint64_t ranks,
                                   std::uint64_t size) {
    return staggered(network, ranks, size, ranks);
}

/// `(P-1) T(m)`: each step with the ranks one further away. Exact.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return all_distances(network, ranks, static_cast<double>(size));
}

/// `(P-1) T(m)`: step `k` with the rank whose number is one's own XOR `k`. If the ranks are no
/// power of two, `ring`. Exact.
[[nodiscard]] inline double pairwise(const Network& network, std::uint64_t ranks,
                                     std::uint64_t size) {
    if (!power_of_two(ranks)) return ring(network, ranks, size);
    Rounds rounds(network, ranks);
    for (std::uint64_t distance = 1; distance < ranks; distance *= 2)
        rounds.exchange(static_cast<double>(size), distance, distance);
    return rounds.seconds();
}

/// Bruck: in step k the blocks travel `2^k` ranks whose distance has bit k. `sum_k T(n_k m)`, with
/// `n_k` the number of distances below P that have bit k; `log P T(m P/2)` for powers of two.
/// Exact.
[[nodiscard]] inline double bruck(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    return doubling(network, ranks, [&](std::uint32_t k) {
        const std::uint64_t half = std::uint64_t{1} << k;
        const std::uint64_t rest = ranks % (2 * half);
        return size * (ranks / (2 * half) * half + (rest > half ? rest - half : 0));
    });
}

/// Bruck in base k: in the round of the digit with weight `w` the `k - 1` messages of its values go
/// at once. Each has the blocks whose distance has this digit. See `RoundAtOnce`.
[[nodiscard]] inline double k_bruck(const Network& network, std::uint64_t ranks, std::uint64_t size,
                                    std::uint64_t radix) {
    double sum = 0;
    for (std::uint64_t weight = 1; weight < ranks; weight *= radix) {
        const std::uint64_t cycle = weight * radix;
        const std::uint64_t whole = ranks / cycle * weight;
        const std::uint64_t rest = ranks % cycle;
        RoundAtOnce round(network, ranks);
        round.to_different_ranks();
        for (std::uint64_t digit = 1; digit < std::min(radix, (ranks - 1) / weight + 1); ++digit) {
            const std::uint64_t begin = weight * digit;
            const std::uint64_t blocks =
                whole + (rest > begin ? std::min(weight, rest - begin) : 0);
            round.add(static_cast<double>(size * blocks), begin);
        }
        sum += round.seconds();
    }
    return sum;
}

/// `log P T(m P/2)` over the Bine butterfly; `bruck` if the ranks are no power of two. Exact.
[[nodiscard]] inline double bine(const Network& network, std::uint64_t ranks, std::uint64_t size) {
    if (!power_of_two(ranks)) return bruck(network, ranks, size);
    Rounds rounds(network, ranks);
    const std::uint64_t half = size * (ranks / 2);
    for (std::uint32_t step = 0; step < floor_log(ranks); ++step)
        rounds.shift(static_cast<double>(half), bine_distance(step));
    return rounds.seconds();
}

}  // namespace lapwing::model::alltoall
