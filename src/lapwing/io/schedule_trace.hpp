#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/observer.hpp"

namespace lapwing {

/// The time line of a simulated schedule, as a document that Perfetto (ui.perfetto.dev) and
/// Chrome's tracing show: a process for each rank, in it a thread for its processor and one for
/// each direction of its network interface, or several where it does several things at once.
/// Interfaces that the ranks of a node share have a process for each node, after those of the
/// ranks.
class ScheduleTrace final : public simulate::Observer {
  public:
    /// Of how many intervals there is a time line at most: the document is then about 100 MB, and
    /// viewers take little more.
    static constexpr std::size_t most = 1'000'000;

    /// `nanosecond`: ticks of the machine's time in one; `ranks_per_node`: ranks that share
    /// interfaces; `pairs`: processor and interface of each pair, as in `Graph`.
    ScheduleTrace(simulate::Time nanosecond, simulate::Rank ranks_per_node,
                  std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs = {{0, 0}});

    /// Throws `std::length_error` with one line when there are more than `most`.
    void interval(const simulate::Interval& interval) override;

    /// The document, of a schedule of so many ranks.
    [[nodiscard]] std::string json(simulate::Rank ranks);

  private:
    [[nodiscard]] std::uint64_t process(const simulate::Interval& interval,
                                        simulate::Rank ranks) const;
    [[nodiscard]] std::uint32_t resource(const simulate::Interval& interval) const;

    simulate::Time nanosecond_;
    simulate::Rank ranks_per_node_;
    std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs_;
    std::vector<simulate::Interval> intervals_;
};

}  // namespace lapwing
