#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/observer.hpp"

namespace lapwing {

/// Records the time line of a simulated schedule, and writes it as a document for Perfetto
/// (ui.perfetto.dev) or Chrome's tracing. Each rank is a process, with a thread for its processor
/// and one for each direction of its network interface. A resource with several uses at once has
/// several threads. Interfaces shared by the ranks of a node belong to a process for the node,
/// after those of the ranks.
class ScheduleTrace final : public simulate::Observer {
  public:
    /// The largest number of intervals: the document is then about 100 MB, and viewers take little
    /// more.
    static constexpr std::size_t most = 1'000'000;

    /// `nanosecond`: ticks of simulated time in a nanosecond. `ranks_per_node`: ranks that share
    /// interfaces. `pairs`: processor and interface of each pair, as in `Graph`.
    ScheduleTrace(simulate::Time nanosecond, simulate::Rank ranks_per_node,
                  std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs = {{0, 0}});

    /// Records an interval. Throws `std::length_error` with one line if there are more than `most`.
    void interval(const simulate::Interval& interval) override;

    /// The document of a schedule of `ranks` ranks.
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
