#pragma once

#include <algorithm>
#include <cmath>

#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The first of several messages that a rank sends one after another over an interface that they
/// share. Counts the seconds of the interface until the first message is through. While n are in
/// flight, each has an nth of the bandwidth. So the first is ahead of the second by `o_s`, of the
/// third by `o_s / 2` more, and of the (k+1)th by `o_s (1 + 1/2 + ... + 1/k)`. Of each other
/// message as much passes as the first is not ahead of it, at most all of it.
class FirstOnSharedLink {
  public:
    explicit FirstOnSharedLink(const MessageCost& first) : cost_(first), passed_(first.wire) {}

    /// Adds the next message, which alone takes the interface for `wire` seconds.
    void add(double wire) {
        ahead_ += cost_.send / ++behind_;
        passed_ += std::min(wire, std::max(0.0, cost_.wire - ahead_));
    }
    /// Adds `count` messages that are as long as the first.
    void add_equal(double count) {
        for (double i = 0; i < count && ahead_ < cost_.wire; ++i) add(cost_.wire);
    }
    /// Seconds from the start of the first message until it has been received.
    [[nodiscard]] double received() const {
        return cost_.send + cost_.latency + passed_ + cost_.receive;
    }

  private:
    MessageCost cost_;
    double passed_;
    double ahead_ = 0;
    double behind_ = 0;
};

/// Seconds between messages that wait for their receives, of which two are always asked for: on a
/// shared interface both take twice as long. 0 if that delays nothing.
[[nodiscard]] inline double asked_ahead(const Network& network, const MessageCost& cost) {
    return network.sharing && cost.waits ? cost.wire + cost.latency / 2 : 0;
}

/// Seconds until `count` messages of the same size have gone `hops` hops, all sent at once over a
/// shared interface. Every rank passes each message on when it has received it. At first the
/// messages arrive together. As they are passed on they spread, until each shares the interface
/// with its neighbours alone. How fast they spread is an approximation, fitted to the event engine
/// for wires that are 6 to 700 times as slow as a processor.
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
