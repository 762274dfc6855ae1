#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/pipeline/templates.hpp"
#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing::tools {

/// One uniform way to run a pattern: a point of the grid that a sweep times.
struct GridPoint {
    std::uint64_t message = 0;  ///< bytes
    int burst = 1;              ///< b of the template; 0 if messages are initiated one by one
    int window = 2;             ///< messages in flight
    PeerOrder order = PeerOrder::contiguous;
    bool staggered = true;                            ///< no two ranks begin with the same peer
    Packing packing = Packing::none;                  ///< of strided data
    TemplateSchedule schedule = TemplateSchedule::E;  ///< of bursts
};

/// What is cut into messages, and by which parameters.
struct ParameterGrid {
    std::uint64_t volume = 0;     ///< bytes of one sequence of messages
    std::uint64_t grain = 1;      ///< bytes; sizes are multiples of it
    std::uint64_t sequences = 1;  ///< that share a window, such as those of all peers
    std::uint64_t smallest = 1;   ///< bytes of the smallest message
    bool bursts = true;           ///< bursts of template E; otherwise windows of a pipeline
    bool windows = true;          ///< whether the number of messages in flight can be chosen
};

/// Every uniform (S, b), or (S, window), in powers of two. One message for the whole volume is
/// among them.
[[nodiscard]] std::vector<GridPoint> uniform_grid(const ParameterGrid& grid);

/// The points, once for each order of peers.
[[nodiscard]] std::vector<GridPoint> in_orders(const std::vector<GridPoint>& points,
                                               const std::vector<PeerOrder>& orders);

/// The points of template E, once for each schedule, and no burst twice where it has no meaning.
[[nodiscard]] std::vector<GridPoint> in_schedules(const std::vector<GridPoint>& points,
                                                  const std::vector<TemplateSchedule>& schedules);

/// The schedule of a letter, A to E. Throws `std::invalid_argument` for anything else.
[[nodiscard]] TemplateSchedule schedule_named(const std::string& letter);
[[nodiscard]] std::string name(TemplateSchedule schedule);

/// The point as a plan of `volume` bytes, for patterns that initiate their messages one by one.
[[nodiscard]] Plan plan_of(const GridPoint& point, std::uint64_t volume);

/// The point of a uniform plan.
[[nodiscard]] GridPoint point_of(const Plan& plan);

}  // namespace lapwing::tools
