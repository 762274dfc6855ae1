#pragma once

#include <mpi.h>

#include <optional>
#include <utility>

#include "lapwing/calibrate/environment/environment_monitor.hpp"
#include "lapwing/calibrate/ranks/two_sided_pair.hpp"

namespace lapwing::tools {

/// Tells whether two ranks are in the environment that a profile was measured in. Whoever times
/// something to compare with the profile may wait for that.
class WantedEnvironment {
  public:
    /// `ranks`: all there are. `wanted`: the profile's; empty: it does not say. `wait`: seconds to
    /// wait in all.
    WantedEnvironment(MPI_Comm ranks, Environment wanted, double wait)
        : wanted_(std::move(wanted)) {
        int size = 0;
        MPI_Comm_size(ranks, &size);
        if (simulated_time || !wanted_.known() || size != 2) return;
        TwoSided& transport = transport_.emplace(ranks);
        pair_.emplace(transport, transport.rank() == 0, 1 - transport.rank());
        monitor_.emplace(*pair_).set_wait_budget(wait);
    }

    /// Whether any environment is wanted. If not, every environment will do.
    [[nodiscard]] bool wanted() const { return monitor_.has_value(); }
    /// Whether the ranks are in it now. Both ranks call it and hear the same.
    bool is_here() { return !monitor_ || monitor_->is_comparable(wanted_); }
    /// Waits until they are, as long as that may take; false if they do not get into it, or if none
    /// is wanted. Both ranks call it and hear the same.
    bool wait() { return monitor_ && monitor_->wait_for(wanted_); }
    /// Counts seconds that were spent elsewhere as waiting; the same on both ranks.
    void spend_wait(double seconds) {
        if (monitor_) monitor_->spend_wait(seconds);
    }

  private:
    Environment wanted_;
    std::optional<TwoSided> transport_;
    std::optional<TwoSidedPair> pair_;
    std::optional<EnvironmentMonitor> monitor_;
};

}  // namespace lapwing::tools
