#pragma once

#include <cstdint>
#include <vector>

#include "trials/grid_point.hpp"
#include "trials/many_ranks.hpp"

namespace lapwing::tools {

/// A pattern that is run as a pipeline in every way: the grid has message sizes and windows, and
/// the blocking run is a pipeline of one message.
class PipelinedTrial : public ManyRanksTrial {
  public:
    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        return uniform_grid(
            {.volume = volume_, .grain = grain_, .smallest = smallest, .bursts = false});
    }
    double blocking() final { return uniform({.message = volume_, .burst = 0, .window = 1}); }
    double uniform(const GridPoint& point) final { return planned(plan_of(point, volume_)); }

  protected:
    /// `volume`: bytes of one sequence of messages, a multiple of 8. `grain`: bytes; message sizes
    /// are multiples of it.
    PipelinedTrial(RankGroup& group, std::uint64_t volume, std::uint64_t grain)
        : ManyRanksTrial(group, true), volume_(volume), grain_(grain) {}

    /// Bytes of one sequence of messages.
    [[nodiscard]] std::uint64_t volume() const { return volume_; }

  private:
    std::uint64_t volume_;
    std::uint64_t grain_;
};

}  // namespace lapwing::tools
