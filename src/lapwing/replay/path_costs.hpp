#pragma once

#include <cstdint>

#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::replay {

/// What a message costs, nanoseconds.
struct MessageCost {
    double send = 0;     ///< of its sender's processor
    double flight = 0;   ///< from then until it is at its receiver
    double receive = 0;  ///< of its receiver's processor
    bool waits = false;  ///< it leaves only when its receive is posted
    /// Its send ends only when it leaves.
    bool blocks = false;
};

/// What messages cost on some machine.
class PathCosts {
  public:
    PathCosts() = default;
    PathCosts(const PathCosts&) = delete;
    PathCosts& operator=(const PathCosts&) = delete;
    virtual ~PathCosts() = default;
    [[nodiscard]] virtual MessageCost message(simulate::Rank from, simulate::Rank to,
                                              std::uint64_t bytes) const = 0;
};

/// Those of a LogGOPS machine: o + (s-1) O at either end, L + (s-1) G between. More than S bytes
/// wait for their receive, and their send for them.
class LogGOPSPathCosts final : public PathCosts {
  public:
    explicit LogGOPSPathCosts(const simulate::LogGOPS& machine) : machine_(machine) {}
    [[nodiscard]] MessageCost message(simulate::Rank from, simulate::Rank to,
                                      std::uint64_t bytes) const override;

  private:
    simulate::LogGOPS machine_;
};

/// Those of a machine that was measured.
class MeasuredPathCosts final : public PathCosts {
  public:
    /// `machine`: outlives it.
    explicit MeasuredPathCosts(const simulate::MeasuredMachine& machine) : machine_(machine) {}
    [[nodiscard]] MessageCost message(simulate::Rank from, simulate::Rank to,
                                      std::uint64_t bytes) const override;

  private:
    const simulate::MeasuredMachine& machine_;
};

}  // namespace lapwing::replay
