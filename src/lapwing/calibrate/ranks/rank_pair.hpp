#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "lapwing/calibrate/environment/clock_speed.hpp"
#include "lapwing/calibrate/environment/state_monitor.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Two ranks that measure together. Every measurement is one function that both call; rank 0 has
/// the result.
template <Transport T>
class TransportPair {
  public:
    /// `offset`: seconds to add to rank 0's clock for this rank's. `one_node`: messages between the
    /// two pass through memory, so that all of their way is some processor's work.
    TransportPair(T& transport, bool first, int peer, double offset = 0, bool one_node = false)
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
    [[nodiscard]] ClockSpeed& clock_speed() { return clock_speed_; }
    /// Of both. The first time both ranks call it together.
    [[nodiscard]] StateMonitor& state_monitor() {
        if (!state_monitor_) state_monitor_.emplace(*this);
        return *state_monitor_;
    }

    /// Rank 0's `value`, on both.
    double from_first(double value) {
        if (first_) {
            transport_.send(&value, sizeof value, peer_, control_tag).wait();
        } else {
            transport_.receive(&value, sizeof value, peer_, control_tag).wait();
        }
        return value;
    }
    /// Rank 1's `value`, on both.
    double from_second(double value) {
        first_ = !first_;
        value = from_first(value);
        first_ = !first_;
        return value;
    }
    /// Returns on each rank after both have called it.
    void barrier() {
        from_first(0);
        from_second(0);
    }

    /// Both ranks return at the same moment, which is the result (of each rank's own clock).
    double start_together() {
        constexpr double ahead = simulated_time ? 100e-6 : 1e-3;
        yield_core();
        const double moment = from_first(transport_.now() + ahead) + (first_ ? 0 : offset_);
        wait_until(moment);
        return moment;
    }

    /// Leaves the core idle for a moment if it has been busy for long: the kernel stops a real-time
    /// rank that never does, in the middle of a measurement.
    void yield_core() {
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
    ClockSpeed clock_speed_;
    std::optional<StateMonitor> state_monitor_;
};

}  // namespace lapwing
