#include "trials/grid_point.hpp"

#include <stdexcept>

namespace lapwing::tools {

std::vector<GridPoint> uniform_grid(const ParameterGrid& grid) {
    constexpr std::uint64_t most_messages = 8192;
    constexpr int longest_burst = 64;
    std::vector<GridPoint> points;
    const auto add = [&](std::uint64_t size, std::uint64_t count) {
        const std::uint64_t all = count * grid.sequences;
        if (!grid.windows) {
            points.push_back({.message = size, .burst = 0, .window = static_cast<int>(all)});
            return;
        }
        for (int count_at_once = 1; count_at_once <= longest_burst; count_at_once *= 2) {
            if (static_cast<std::uint64_t>(count_at_once) > all && count_at_once > 1) break;
            GridPoint point{.message = size, .burst = count_at_once, .window = count_at_once};
            if (grid.bursts) {
                point.window = outstanding(TemplateSchedule::E, count_at_once);
            } else {
                point.burst = 0;
            }
            points.push_back(point);
        }
    };
    for (std::uint64_t size = grid.smallest; size <= grid.volume && size != 0; size *= 2) {
        const std::uint64_t count = (grid.volume + size - 1) / size;
        if (count <= most_messages && size % grid.grain == 0) add(size, count);
    }
    // The last row is not split, even if the volume is no power of two.
    if (points.empty() || points.back().message < grid.volume) add(grid.volume, 1);
    return points;
}

std::vector<GridPoint> in_orders(const std::vector<GridPoint>& points,
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

std::vector<GridPoint> in_schedules(const std::vector<GridPoint>& points,
                                    const std::vector<TemplateSchedule>& schedules) {
    std::vector<GridPoint> all;
    for (const TemplateSchedule schedule : schedules) {
        for (GridPoint point : points) {
            // The blocking schedule has one message in flight, whatever the burst.
            if (schedule == TemplateSchedule::A && point.burst > 1) continue;
            point.schedule = schedule;
            point.window = outstanding(schedule, point.burst);
            all.push_back(point);
        }
    }
    return all;
}

TemplateSchedule schedule_named(const std::string& letter) {
    if (letter.size() != 1 || letter[0] < 'A' || letter[0] > 'E')
        throw std::invalid_argument("unknown schedule \"" + letter + "\": it is A, B, C, D or E");
    return static_cast<TemplateSchedule>(letter[0] - 'A');
}

std::string name(TemplateSchedule schedule) {
    return {static_cast<char>('A' + static_cast<int>(schedule))};
}

Plan plan_of(const GridPoint& point, std::uint64_t volume) {
    Plan plan;
    plan.messages = Messages::uniform(volume, point.message, sizeof(double));
    plan.window = point.window;
    plan.order = point.order;
    plan.staggered = point.staggered;
    plan.packing = point.packing;
    return plan;
}

GridPoint point_of(const Plan& plan) {
    return {.message = plan.messages.runs().front().size,
            .burst = plan.burst,
            .window = plan.window,
            .order = plan.order,
            .staggered = plan.staggered,
            .packing = plan.packing};
}

}  // namespace lapwing::tools
