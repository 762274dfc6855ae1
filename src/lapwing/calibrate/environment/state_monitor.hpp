#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "lapwing/calibrate/environment/cache_line_latency.hpp"
#include "lapwing/calibrate/environment/smt_contention.hpp"
#include "lapwing/calibrate/environment/syscall_latency.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/profile/surroundings.hpp"

namespace lapwing {

/// The processors of two ranks: what surrounds them at the moment, the best of it that was met, and
/// how long one may still wait for that to come again.
class StateMonitor {
  public:
    /// Both ranks of `pair`, a `TransportPair`, make one together.
    template <class P>
    explicit StateMonitor(P& pair) : line_(pair) {}

    /// Whether they share memory; the same on both ranks.
    [[nodiscard]] bool share_memory() const { return line_.known(); }

    /// After both ranks have come here. Each has its own reading; rank 0's is the one to go by.
    template <class P>
    Surroundings surroundings(P& pair) {
        const double apart = line_.seconds(pair);
        // What only one of them can tell is not known.
        const auto slower = [&](double mine) {
            const double other = pair.from_second(mine);
            return other > 0 ? std::max(mine, other) : 0;
        };
        const double additions = SmtContention::seconds();
        const double messages = path_.seconds();
        if (simulated_time) return {};
        return {apart, slower(additions), slower(messages)};
    }

    /// Something was measured in such surroundings.
    void measured(const Surroundings& here) {
        best_ = known_ ? best_.best(here) : here;
        known_ = true;
    }
    /// The best in which something was.
    [[nodiscard]] const Surroundings& best() const { return best_; }

    /// A quantity is known from visits in such surroundings.
    void counted(const Surroundings& here) { counted_.push_back(here); }
    /// What three quarters of the quantities since the last call were measured in, or in better;
    /// not known where there were none.
    Surroundings measured_in() { return quantile(std::exchange(counted_, {}), 0.75); }

    /// Seconds that may still be waited for the best to come again.
    [[nodiscard]] double patience() const { return simulated_time ? 0 : patience_; }
    void have_patience(double seconds) { patience_ = seconds; }
    void waited(double seconds) { patience_ = std::max(0.0, patience_ - seconds); }

    /// Waits, for so many seconds at most, until the two are neighbours, if they share memory.
    template <class P>
    void approach(P& pair, double most) {
        constexpr double neighbours = 50e-9;  // seconds, of all processors of these years
        if (!line_.known()) return;
        const double start = now();
        while (pair.from_first(line_.seconds(pair) > neighbours && now() - start < most ? 1 : 0) !=
               0)
            pair.yield_core();
    }

  private:
    CacheLineLatency line_;
    SyscallLatency path_;
    Surroundings best_;
    std::vector<Surroundings> counted_;
    bool known_ = false;  ///< of anything
    double patience_ = 0;
};

}  // namespace lapwing
