#pragma once

#include <mpi.h>

#include <optional>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/profile/surroundings.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::tools {

/// Whether the processors of two ranks are as well or as badly off as a profile says (see
/// `Surroundings`). Who times something to compare with it waits for that, but not for ever.
class SameSurroundings {
  public:
    /// `ranks`: all that there are. `asked`: the profile's; 0: it does not say. `patience`: seconds
    /// to wait in all.
    SameSurroundings(MPI_Comm ranks, const Surroundings& asked, double patience) : asked_(asked) {
        int size = 0;
        MPI_Comm_size(ranks, &size);
        const bool any = asked_.reach({});
        if (simulated_time || any || size != 2) return;
        TwoSided& transport = transport_.emplace(ranks);
        pair_.emplace(transport, transport.rank() == 0, 1 - transport.rank());
        pair_->state_monitor().have_patience(patience);
        // What cannot be told is not asked for.
        if (!pair_->state_monitor().share_memory()) asked_.core_to_core = 0;
    }

    /// Whether they are now, as rank 0 finds; both ranks call it and hear the same. Where it cannot
    /// be told any place will do.
    bool reached() {
        if (!pair_) return true;
        const Surroundings here = pair_->state_monitor().surroundings(*pair_);
        return pair_->from_first(here.alike(asked_) ? 1 : 0) != 0;
    }

    /// Waits until they are, as long as there is patience; whether they are. All ranks hear the
    /// same.
    bool await() {
        if (!pair_) return false;
        while (pair_->state_monitor().patience() > 0) {
            if (reached()) return true;
            const double start = now();
            wait_until(start + pause);
            waited(pair_->from_first(now() - start));
        }
        return false;
    }

    /// Whether there is anything that they should be.
    [[nodiscard]] bool asked() const { return pair_.has_value(); }

    /// Someone has waited for so many seconds, the same on both ranks.
    void waited(double seconds) {
        if (pair_) pair_->state_monitor().waited(seconds);
    }

  private:
    static constexpr double pause = 10e-3;  ///< seconds between two looks

    std::optional<TwoSided> transport_;
    std::optional<TransportPair<TwoSided>> pair_;
    Surroundings asked_;
};

}  // namespace lapwing::tools
