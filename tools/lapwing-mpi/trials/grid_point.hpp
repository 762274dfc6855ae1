#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/pipeline/templates.hpp"
#include "lapwing/plan/peer_order.hpp"
#include "lapwing/plan/plan.hpp"

namespace lapwing::tools {

/// One uniform way to run a pattern.
struct GridPoint {
    std::uint64_t message = 0;  ///< bytes
    int burst = 1;              ///< b of template E; 0 where messages are initiated one by one
    int window = 2;             ///< messages in flight
    PeerOrder order = PeerOrder::contiguous;
    bool staggered = true;
    Packing packing = Packing::none;  ///< of strided data
};

/// What there is to cut, and in which ways.
struct ParameterGrid {
    std::uint64_t volume = 0;     ///< bytes of one sequence of messages
    std::uint64_t grain = 1;      ///< bytes; sizes are multiples of it
    std::uint64_t sequences = 1;  ///< of messages that share a window, such as those of all peers
    std::uint64_t smallest = 1;   ///< message, bytes
    bool bursts = true;           ///< template E; otherwise windows
    bool windows = true;          ///< whether how many are in flight is a choice at all
};

/// Every uniform (S, b) of a sweep, or (S, window): in powers of two. Not split is one of them.
inline std::vector<GridPoint> uniform_grid(const ParameterGrid& space) {
    constexpr std::uint64_t most_messages = 8192;
    constexpr int longest_burst = 64;
    std::vector<GridPoint> points;
    const auto add = [&](std::uint64_t size, std::uint64_t count) {
        const std::uint64_t all = count * space.sequences;
        if (!space.windows) {
            points.push_back({.message = size, .burst = 0, .window = static_cast<int>(all)});
            return;
        }
        for (int in_turn = 1; in_turn <= longest_burst; in_turn *= 2) {
            if (static_cast<std::uint64_t>(in_turn) > all && in_turn > 1) break;
            GridPoint point{.message = size, .burst = in_turn, .window = in_turn};
            if (space.bursts) {
                point.window = outstanding(TemplateSchedule::E, in_turn);
            } else {
                point.burst = 0;
            }
            points.push_back(point);
        }
    };
    for (std::uint64_t size = space.smallest; size <= space.volume && size != 0; size *= 2) {
        const std::uint64_t count = (space.volume + size - 1) / size;
        if (count <= most_messages && size % space.grain == 0) add(size, count);
    }
    // A volume that is no power of two is not split in its last row either.
    if (points.empty() || points.back().message < space.volume) add(space.volume, 1);
    return points;
}

/// The cells once for each order of peers.
inline std::vector<GridPoint> in_orders(const std::vector<GridPoint>& points,
                                        const std::vector<PeerOrder>& orders) {
    std::vector<GridPoint> all;
    for (const PeerOrder order : orders) {
        for (GridPoint point : points) {
            point.order = order;
            all.push_back(point);
        }
    }
    return all;
}

/// The cell as a plan: for patterns that initiate their messages one by one.
inline Plan plan_of(const GridPoint& point, std::uint64_t volume) {
    Plan plan;
    plan.messages = Messages::uniform(volume, point.message, sizeof(double));
    plan.window = point.window;
    plan.order = point.order;
    plan.staggered = point.staggered;
    plan.packing = point.packing;
    return plan;
}

}  // namespace lapwing::tools
