#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "lapwing/plan/costs/rank_costs.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/simulate/recurrence/representative_rank.hpp"

namespace lapwing {

/// How much longer the wire takes where ranks have messages in flight to more than two others:
/// interfaces serve what can go first, ranks block each other, and wires rest. Flat all-to-alls of
/// 8 and 16 ranks take 1.4 to 1.7 times as long in the engine.
inline constexpr double out_of_step_slowdown = 1.5;

/// What a way to cut takes at a window.
struct TimedWindow {
    double seconds = std::numeric_limits<double>::infinity();
    int window = 1;
};

/// How long a rank takes for its messages whose partners are always ready: the recurrence of one
/// rank that stands for all (`simulate::RepresentativeRank`). Knows of other ranks only that they
/// get out of step.
class RankRecurrence {
  public:
    explicit RankRecurrence(const RankCosts& costs);

    /// Seconds of `messages` with each peer, `window` of them in flight.
    [[nodiscard]] double seconds(const Messages& messages, int window) const;
    /// Seconds of one message with each peer, all in flight at once.
    [[nodiscard]] double unsplit_seconds() const;

  private:
    [[nodiscard]] std::vector<double> sizes(const Messages& messages) const;
    [[nodiscard]] double run(const std::vector<double>& sizes, std::size_t window) const;

    simulate::RepresentativeRank rank_;
    std::uint64_t peers_;
    std::uint64_t bytes_per_peer_;
    bool two_way_;
};

}  // namespace lapwing
