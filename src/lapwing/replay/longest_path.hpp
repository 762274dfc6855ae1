#pragma once

#include <cstdint>

#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/call.hpp"

namespace lapwing::replay {

/// A parameter of the network that is varied.
enum class Parameter : std::uint8_t {
    latency,   ///< L: nanoseconds more of each message between two ranks
    gap,       ///< G: nanoseconds more for each byte but the first
    overhead,  ///< o: nanoseconds more of each send and of each receive
};

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

/// A time as a function of a parameter, near one value of it.
struct Line {
    double value = 0;  ///< nanoseconds
    double slope = 0;  ///< nanoseconds for each nanosecond of the parameter: how often it counts
};

/// When the last rank of a program ends, if nothing contends for processors or links: the longest
/// path through its calls and messages, as LogGPS has it (Ino, Fujimoto, Hagihara 2001), from which
/// LLAMP (Shen et al. 2024) makes a linear program. A wait receives its messages in the order in
/// which their receives were started. `more`: nanoseconds by which `parameter` is larger than it is
/// on the machine. Where two paths are equally long, the one counts whose slope is larger, or
/// smaller where `steepest` is false: the slope to the right or to the left. Throws `Deadlock`.
[[nodiscard]] Line longest_path(simulate::CallSource& source, const PathCosts& costs,
                                Parameter parameter, double more, bool steepest = true);

}  // namespace lapwing::replay
