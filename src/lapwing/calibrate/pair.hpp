#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lapwing/calibrate/pace.hpp"
#include "lapwing/calibrate/processors.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Two ranks that measure together. Every measurement is one function that both call; rank 0 has
/// the result.
template <Transport T>
class Pair {
  public:
    /// `offset`: seconds to add to rank 0's clock for this rank's. `one_node`: messages between the
    /// two pass through memory, so that all of their way is some processor's work.
    Pair(T& transport, bool first, int peer, double offset = 0, bool one_node = false)
        : transport_(transport),
          first_(first),
          peer_(peer),
          offset_(offset),
          one_node_(one_node),
          last_idle_(transport.now()) {}

    [[nodiscard]] T& transport() { return transport_; }
    [[nodiscard]] bool first() const { return first_; }  ///< rank 0: the one that measures
    [[nodiscard]] int peer() const { return peer_; }
    [[nodiscard]] bool one_node() const { return one_node_; }
    /// Of this rank's processor.
    [[nodiscard]] Pace& pace() { return pace_; }
    /// Of both. The first time both ranks call it together.
    [[nodiscard]] Processors& processors() {
        if (!processors_) processors_.emplace(*this);
        return *processors_;
    }

    /// Rank 0's `value`, on both.
    double share(double value) {
        if (first_) {
            transport_.send(&value, sizeof value, peer_, control_tag).wait();
        } else {
            transport_.receive(&value, sizeof value, peer_, control_tag).wait();
        }
        return value;
    }
    /// Rank 1's `value`, on both.
    double share_second(double value) {
        first_ = !first_;
        value = share(value);
        first_ = !first_;
        return value;
    }
    /// Returns on each rank after both have called it.
    void meet() {
        share(0);
        share_second(0);
    }

    /// Both ranks return at the same moment, which is the result (of each rank's own clock).
    double start_together() {
        constexpr double ahead = simulated_time ? 100e-6 : 1e-3;
        breathe();
        const double moment = share(transport_.now() + ahead) + (first_ ? 0 : offset_);
        wait_until(moment);
        return moment;
    }

    /// Leaves the core idle for a moment if it has been busy for long: the kernel stops a real-time
    /// rank that never does, in the middle of a measurement.
    void breathe() {
        if (simulated_time) return;
        const double busy = transport_.now() - last_idle_;
        if (busy < 20e-3) return;
        wait_until(transport_.now() + 0.08 * busy + 1e-3);
        last_idle_ = transport_.now();
    }

  private:
    static constexpr int control_tag = 32767;

    T& transport_;
    bool first_;
    int peer_;
    double offset_;
    bool one_node_;
    double last_idle_;
    Pace pace_;
    std::optional<Processors> processors_;
};

}  // namespace lapwing
