#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// `ceil(log2 n)` and `floor(log2 n)`; 0 for n of 0 and 1.
[[nodiscard]] constexpr std::uint32_t ceil_log(std::uint64_t n) {
    return n < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(n - 1));
}
[[nodiscard]] constexpr std::uint32_t floor_log(std::uint64_t n) {
    return n < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(n)) - 1;
}
// Not std::has_single_bit, which is a call if the compiler may not use the instruction.
[[nodiscard]] constexpr bool power_of_two(std::uint64_t n) { return n > 0 && (n & (n - 1)) == 0; }
/// The larger share, in bytes, if `size` bytes are split in `count`.
[[nodiscard]] constexpr std::uint64_t share(std::uint64_t size, std::uint64_t count) {
    return (size + count - 1) / count;
}

/// Bytes of `n` of the `count` parts of `size` bytes: `ceil(size n / count)`. Needs no division if
/// asked for twice as many parts as the last time.
class Shares {
  public:
    Shares(std::uint64_t size, std::uint64_t count) : size_(size), count_(count) {}

    [[nodiscard]] std::uint64_t operator()(std::uint64_t n) {
        if (n == 2 * parts_) {
            const bool carried = 2 * rest_ >= count_;
            whole_ = 2 * whole_ + (carried ? 1 : 0);
            rest_ = 2 * rest_ - (carried ? count_ : 0);
        } else {
            whole_ = size_ * n / count_;
            rest_ = size_ * n % count_;
        }
        parts_ = n;
        return whole_ + (rest_ > 0 ? 1 : 0);
    }

  private:
    std::uint64_t size_;
    std::uint64_t count_;
    std::uint64_t parts_ = 0;
    std::uint64_t whole_ = 0;
    std::uint64_t rest_ = 0;
};

/// A cutoff (seconds) for results that count only if they are not above it. A closed form may
/// return any number above its cutoff as soon as it knows that its result is.
inline constexpr double any_time = std::numeric_limits<double>::infinity();

/// Seconds of the shortest message of `size` bytes.
[[nodiscard]] inline double least_message(const Network& network, double size) {
    const double between = network.between.total(size);
    return network.ranks_per_node > 1 ? std::min(between, network.within.total(size)) : between;
}

/// Rounds in which every rank sends one message and receives one.
///
/// Adds rounds with one rank a node, whose messages wait for no other.
class Rounds {
  public:
    Rounds(const Network& network, std::uint64_t ranks) : network_(network), ranks_(ranks) {}

    /// Adds `times` rounds in which each rank sends `size` bytes to the rank `distance` after it.
    void shift(double size, std::uint64_t distance, std::uint64_t times = 1) {
        if (alone(size, times)) return;
        const std::uint64_t least = std::min(distance, ranks_ - distance);
        const std::uint64_t leaving = std::min(least, network_.ranks_per_node);
        add(size, leaving, leaving == network_.ranks_per_node, times);
    }
    /// Adds `times` rounds in which the numbers of partners differ in the bit of `distance`, a
    /// power of two, and in lower bits.
    void exchange(double size, std::uint64_t distance, std::uint64_t times = 1) {
        if (alone(size, times)) return;
        if (network_.ranks_per_node % (2 * distance) == 0) {
            sum_ += static_cast<double>(times) * network_.within.total(size);
            return;
        }
        const std::uint64_t leaving = std::min(distance, network_.ranks_per_node);
        add(size, leaving, leaving == network_.ranks_per_node, times);
    }
    [[nodiscard]] double seconds() const { return sum_ + apart_; }

  private:
    /// With one rank a node, whose messages wait for no other.
    bool alone(double size, std::uint64_t times) {
        if (network_.ranks_per_node > 1) return false;
        if (size != size_) {
            size_ = size;
            total_ = network_.between.total(size);
        }
        sum_ += static_cast<double>(times) * total_;
        return true;
    }
    void add(double size, std::uint64_t leaving, bool all_leave, std::uint64_t times) {
        if (ranks_ <= network_.ranks_per_node) {
            sum_ += static_cast<double>(times) * network_.within.total(size);
            return;
        }
        const MessageCost cost = network_.between(size);
        const double one = cost.total();
        const double together = static_cast<double>(leaving) * cost.wire;
        double round = std::max(one, together);
        if (!all_leave) round = std::max(round, network_.within.total(size));
        sum_ += static_cast<double>(times) * round;
        apart_ = std::max(apart_, std::min(one, together) - cost.wire);
    }

    const Network& network_;
    std::uint64_t ranks_;
    double sum_ = 0;
    double apart_ = 0;
    double size_ = -1;  ///< of the last message between nodes, whose `total_` is remembered
    double total_ = 0;
};

/// `ceil(log P)` rounds in which each rank sends to the rank `2^k` after it. `bytes(k)`: of a
/// message of round k.
template <class Bytes>
[[nodiscard]] double doubling(const Network& network, std::uint64_t ranks, Bytes bytes) {
    Rounds rounds(network, ranks);
    for (std::uint32_t k = 0; std::uint64_t{1} << k < ranks; ++k)
        rounds.shift(static_cast<double>(bytes(k)), std::uint64_t{1} << k);
    return rounds.seconds();
}

/// `P - 1` rounds in which each rank sends `size` bytes to the rank 1, 2, … after it.
[[nodiscard]] inline double all_distances(const Network& network, std::uint64_t ranks,
                                          double size) {
    if (ranks < 2) return 0;
    Rounds rounds(network, ranks);
    // Near ranks, on either side, may be on the same node.
    const std::uint64_t near = std::min(network.ranks_per_node - 1, (ranks - 1) / 2);
    for (std::uint64_t distance = 1; distance <= near; ++distance) rounds.shift(size, distance, 2);
    const std::uint64_t rest = ranks - 1 - 2 * near;
    if (rest > 0) rounds.shift(size, near + 1, rest);
    return rounds.seconds();
}

/// `rounds` rounds in which each rank sends `size` bytes to the next, which passes them on in the
/// round after. The time is that of the messages' way, or of the interface between two nodes.
[[nodiscard]] inline double pass_on(const Network& network, std::uint64_t ranks,
                                    std::uint64_t rounds, double size) {
    if (ranks < 2 || rounds == 0) return 0;
    if (network.ranks_per_node == 1)
        return static_cast<double>(rounds) * network.between.total(size);
    const MessageCost near = network.within(size);
    const MessageCost far = network.between(size);
    const std::uint64_t nodes = share(ranks, network.ranks_per_node);
    const auto all = static_cast<double>(rounds);
    const double hops =
        nodes < 2 ? 0 : std::ceil(all / static_cast<double>(network.ranks_per_node));
    const double way = hops * far.total() + (all - hops) * near.total();
    if (nodes < 2) return way;
    const double stays = std::max({far.wire, far.send + near.receive, near.send + far.receive});
    return std::max(way, far.total() + (all - 1) * stays);
}

/// `P - 1` rounds in which each rank sends `size` bytes to the next.
[[nodiscard]] inline double ring(const Network& network, std::uint64_t ranks, double size) {
    return ranks < 2 ? 0 : pass_on(network, ranks, ranks - 1, size);
}

}  // namespace lapwing::model
