#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/simulate/recurrence/representative_rank.hpp"

namespace lapwing {

/// How long a rank takes for its messages whose partners are always ready: the recurrence of one
/// rank that stands for all (`simulate::RepresentativeRank`). Knows of other ranks only that they
/// get out of step.
class RankRecurrence {
  public:
    explicit RankRecurrence(const RankCosts& costs);

    /// Seconds of `messages` with each peer, `window` of them in flight.
    [[nodiscard]] double seconds(const Messages& messages, int window) const;
    /// Seconds of one message with each peer, all in flight at once.
    [[nodiscard]] double unsplit_seconds() const {
        return run(std::vector(peers_, static_cast<double>(bytes_per_peer_)), peers_);
    }

  private:
    [[nodiscard]] double run(const std::vector<double>& sizes, std::size_t window) const;

    simulate::RepresentativeRank rank_;
    std::uint64_t peers_;
    std::uint64_t bytes_per_peer_;
    bool two_way_;
};

}  // namespace lapwing
