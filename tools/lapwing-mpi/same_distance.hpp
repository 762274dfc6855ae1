#pragma once

#include <mpi.h>

#include <algorithm>
#include <optional>

#include "lapwing/calibrate/pair.hpp"
#include "lapwing/profile/as_near.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::tools {

/// Whether the processors of two ranks are as far from each other as a profile says (see
/// `CoreToCore`). Who times something to compare with it waits for that, but not for ever.
class SameDistance {
  public:
    /// `ranks`: all that there are. `core_to_core`: seconds, the profile's; 0: it does not say.
    /// `patience`: seconds to wait in all.
    SameDistance(MPI_Comm ranks, double core_to_core, double patience) : asked_(core_to_core) {
        int size = 0;
        MPI_Comm_size(ranks, &size);
        if (simulated_time || asked_ == 0 || size != 2) return;
        TwoSided& transport = transport_.emplace(ranks);
        pair_.emplace(transport, transport.rank() == 0, 1 - transport.rank());
        pair_->core_to_core().have_patience(patience);
        if (!pair_->core_to_core().known()) pair_.reset();
    }

    /// Whether they are now, as rank 0 finds; both ranks call it and hear the same. Where it cannot
    /// be told any place will do.
    bool reached() {
        if (!pair_) return true;
        const double found = pair_->core_to_core().seconds(*pair_);
        const bool alike = std::max(found, asked_) <= as_near * std::min(found, asked_);
        return pair_->share(alike ? 1 : 0) != 0;
    }

    [[nodiscard]] double patience() { return pair_ ? pair_->core_to_core().patience() : 0; }
    /// Someone has waited for so many seconds, the same on both ranks.
    void waited(double seconds) {
        if (pair_) pair_->core_to_core().waited(seconds);
    }

  private:
    std::optional<TwoSided> transport_;
    std::optional<Pair<TwoSided>> pair_;
    double asked_;
};

}  // namespace lapwing::tools
