#pragma once

#include <algorithm>
#include <cstddef>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Two ranks that measure together. Both call each measurement, and rank 0 of the two has the
/// result.
class RankPair {
  public:
    RankPair(const RankPair&) = delete;
    RankPair& operator=(const RankPair&) = delete;
    virtual ~RankPair() = default;

    [[nodiscard]] bool first() const { return first_; }  ///< whether this is rank 0 of the two
    [[nodiscard]] int peer() const { return peer_; }     ///< the other rank
    /// Whether messages between the two pass through memory: then a processor does all the work.
    [[nodiscard]] bool one_node() const { return one_node_; }
    /// Seconds to add to rank 0's clock for this rank's.
    [[nodiscard]] double offset() const { return offset_; }
    /// Seconds on this rank's clock.
    [[nodiscard]] virtual double now() const = 0;

    /// Rank 0's `value`, on both ranks.
    double from_first(double value) { return first_ ? send(value) : receive(); }
    /// Rank 1's `value`, on both ranks.
    double from_second(double value) { return first_ ? receive() : send(value); }
    /// Returns on each rank after both have called it.
    void barrier() {
        from_first(0);
        from_second(0);
    }

    /// Both ranks return at the same moment. The result is that moment on the rank's own clock.
    double start_together() {
        yield_core();
        if (ahead_ == 0) ahead_ = seconds_ahead();
        const double moment = from_first(now() + ahead_) + (first_ ? 0 : offset_);
        wait_until(moment);
        return moment;
    }

    /// Leaves the core idle for a moment if this rank has kept it busy for 20 ms. Otherwise the
    /// kernel would stop a rank at real-time priority, in the middle of a measurement.
    void yield_core() {
        if (simulated_time) return;
        const double busy = now() - last_idle_;
        if (busy < 20e-3) return;
        wait_until(now() + 0.08 * busy + 1e-3);
        last_idle_ = now();
    }

  protected:
    /// `offset`: seconds to add to rank 0's clock for this rank's. `now`: on this rank's clock.
    RankPair(bool first, int peer, double offset, bool one_node, double now)
        : first_(first), peer_(peer), offset_(offset), one_node_(one_node), last_idle_(now) {}

    /// Sends `value` to the other rank, and returns it.
    virtual double send(double value) = 0;
    virtual double receive() = 0;

  private:
    /// How far ahead a moment is named so that the other rank learns of it in time, seconds.
    double seconds_ahead() {
        constexpr double least = simulated_time ? 100e-6 : 1e-3;
        barrier();  // the other rank may be late for the first, and connections open with it
        const double start = now();
        barrier();
        return std::max(least, 2 * (now() - start));
    }

    bool first_;
    int peer_;
    double offset_;
    bool one_node_;
    double last_idle_;
    double ahead_ = 0;
};

/// Two ranks that exchange messages over a transport.
template <Transport T>
class TransportPair final : public RankPair {
  public:
    /// `first`: this is rank 0 of the two. `offset`: seconds to add to rank 0's clock for this
    /// rank's. `one_node`: messages between the two pass through memory.
    TransportPair(T& transport, bool first, int peer, double offset = 0, bool one_node = false)
        : RankPair(first, peer, offset, one_node, transport.now()), transport_(transport) {}

    [[nodiscard]] T& transport() { return transport_; }
    [[nodiscard]] double now() const override { return transport_.now(); }

  protected:
    double send(double value) override {
        transport_.send(&value, sizeof value, peer(), control_tag).wait();
        return value;
    }
    double receive() override {
        double value = 0;
        transport_.receive(&value, sizeof value, peer(), control_tag).wait();
        return value;
    }

  private:
    static constexpr int control_tag = 32767;

    T& transport_;
};

}  // namespace lapwing
