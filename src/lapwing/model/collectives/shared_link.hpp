#pragma once

#include <algorithm>
#include <cmath>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The first of several messages that a rank sends one after another, over an interface that all of
/// them share: what passes it until that one has. From the moment at which n are under way each has
/// an nth, so that the first is ahead of the one behind it by `o_s`, of the next by `o_s / 2` more,
/// and of the kth by `o_s (1 + 1/2 + ... + 1/k)`; of the others there passes as much as it is not
/// ahead, but no more than they are.
class FirstOnSharedLink {
  public:
    explicit FirstOnSharedLink(const MessageCost& first) : cost_(first), passed_(first.wire) {}

    /// The next message, which keeps the interface for `wire` seconds by itself.
    void add(double wire) {
        ahead_ += cost_.send / ++behind_;
        passed_ += std::min(wire, std::max(0.0, cost_.wire - ahead_));
    }
    /// `count` more that are as long as the first.
    void add_equal(double count) {
        for (double i = 0; i < count && ahead_ < cost_.wire; ++i) add(cost_.wire);
    }
    /// When the first has been received, seconds after it was begun.
    [[nodiscard]] double received() const {
        return cost_.send + cost_.latency + passed_ + cost_.receive;
    }

  private:
    MessageCost cost_;
    double passed_;
    double ahead_ = 0;
    double behind_ = 0;
};

/// `count` messages of the same size, all sent at once over a shared interface, and each passed on
/// by every rank that has received it: until they have gone `hops` hops. At first they arrive
/// together; as they are passed on they come apart, until each shares the interface with its
/// neighbours alone. How fast is an approximation, from what the event engine plays for wires that
/// are 6 to 700 times as slow as a processor.
[[nodiscard]] inline double passed_on(const MessageCost& cost, double count, double hops) {
    const double together = cost.total() + (count - 1) * cost.wire;
    const double spare = cost.wire - cost.send - cost.receive;
    if (spare <= 0) return hops * cost.total() + (count - 1) * cost.wire;
    const double apart = std::min(together, cost.total() + spare);
    const double slower = cost.wire / std::max(cost.send, 1e-3 * cost.wire);
    const double stays = 1 - 0.61 * std::pow(slower, -0.3);
    return hops * apart + (together - apart) * (1 - std::pow(stays, hops)) / (1 - stays);
}

}  // namespace lapwing::model
