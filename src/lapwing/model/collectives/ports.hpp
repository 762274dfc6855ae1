#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The delay from incast in a round in which every rank sends to the `peers` after it at once.
/// Messages that meet at a receiver delay those behind them. 0 for up to two peers. For more the
/// event engine shows, with 4 to 257 ranks, 0.5 to 0.75 of the square root of their number.
[[nodiscard]] inline double incast_delay(double peers) {
    return peers < 3 ? 0 : 0.62 * std::sqrt(peers + 1);
}

/// A round in which each rank sends several messages at once, and receives as many. It takes the
/// longest of these times: all sends and receives on the processor, `n (o_s + o_r)`; the first
/// message and all receives, `T(m) + (n-1) o_r`; the messages one after another through the
/// interface, `T(m) + (n-1) max(o_s, G m)`, and, if they go to different ranks, the `incast_delay`.
class RoundAtOnce {
  public:
    RoundAtOnce(const Network& network, std::uint64_t ranks)
        : network_(network), own_node_(ranks <= network.ranks_per_node) {}

    /// Says that the messages go to different ranks.
    void to_different_ranks() { incast_ = !network_.sharing; }

    /// Adds `count` messages of `size` bytes to ranks `distance` away or further.
    void add(double size, std::uint64_t distance, double count = 1) {
        if (count == 0) return;
        const MessageCost cost = own_node_ ? network_.within(size) : network_.between(size);
        // As many messages leave a node at once.
        const double leaving =
            own_node_ ? 0 : static_cast<double>(std::min(distance, network_.ranks_per_node));
        if (cost.wire > first_.wire || all_ == 0) first_ = cost;
        all_ += count;
        processor_ += count * (cost.send + cost.receive);
        receives_ += count * cost.receive;
        sends_ += count * std::max(cost.send, leaving * cost.wire);
        queue_ = std::max(cost.send, own_node_ ? 0 : cost.wire);
    }
    [[nodiscard]] double seconds() const {
        if (all_ == 0) return 0;
        const double one = first_.total();
        const double held =
            incast_ ? incast_delay(all_) * std::max(0.0, first_.wire - first_.send) : 0;
        return std::max(
            {processor_, one + receives_ - first_.receive, one + sends_ - queue_ + held});
    }

  private:
    const Network& network_;
    bool own_node_;  ///< no message leaves it
    bool incast_ = false;
    MessageCost first_;  ///< the longest
    double all_ = 0;
    double processor_ = 0;
    double receives_ = 0;
    double sends_ = 0;
    double queue_ = 0;  ///< of the last message
};

}  // namespace lapwing::model
