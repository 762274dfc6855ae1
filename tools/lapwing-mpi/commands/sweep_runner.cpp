#include "commands/sweep_runner.hpp"

#include <algorithm>
#include <numeric>

#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/plan/names.hpp"
#include "support/command.hpp"

namespace lapwing::tools {
namespace {

std::string words(const GridPoint& point) {
    std::string said = std::to_string(point.message) + " bytes, ";
    said += point.burst > 0 ? "burst " + std::to_string(point.burst)
                            : "window " + std::to_string(point.window);
    if (point.schedule != TemplateSchedule::E) said += " of schedule " + name(point.schedule);
    if (point.packing != Packing::none) said += ", packing " + std::string(name(point.packing));
    return said + (point.staggered ? ", " : ", same order, ") + std::string(name(point.order));
}

}  // namespace

SweepRunner::SweepRunner(Trial& trial, int repetitions, const std::vector<GridPoint>& points)
    : trial_(trial), repetitions_(repetitions) {
    for (const GridPoint& point : points) times_.points.push_back({point, {}, {}});
    report(0, "communication alone");
    for (TimedPoint& timed : times_.points)
        for (int i = 0; i < repetitions_; ++i)
            timed.communication.push_back(trial_.uniform(timed.point));
}

double SweepRunner::set_computation(double ratio, double compute) {
    trial_.blocking();  // the first run opens connections
    std::vector<double> samples(static_cast<std::size_t>(repetitions_));
    for (double& sample : samples) sample = trial_.blocking();
    const double communication = estimate(samples).median;
    const double seconds = compute >= 0 ? compute : ratio * communication;
    times_.ratio = seconds / communication;
    trial_.set_computation(seconds);
    return seconds;
}

void SweepRunner::run(const std::optional<Plan>& ours, const std::optional<Plan>& paper,
                      Trial& planned) {
    times_.ours.plan = ours;
    times_.paper.plan = paper;
    trial_.blocking();  // first: the others are compared with its result
    for (std::size_t i = 0; i < times_.points.size(); ++i) {
        TimedPoint& timed = times_.points[i];
        report(0.05 + 0.75 * static_cast<double>(i) / static_cast<double>(times_.points.size()),
               words(timed.point));
        for (int k = 0; k < repetitions_; ++k) timed.seconds.push_back(trial_.uniform(timed.point));
    }
    sample_interleaved(planned);
}

void SweepRunner::report(double share, const std::string& what) const {
    if (trial_.first()) report_progress(share, what);
}

/// The `most` fastest points, fastest first. All ranks have the same times, so they agree.
std::vector<std::size_t> SweepRunner::fastest_points(std::size_t most) const {
    std::vector<std::size_t> order(times_.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return times_.points[a].quickest() < times_.points[b].quickest();
    });
    order.resize(std::min(order.size(), most));
    return order;
}

/// How often to time these points in turn. Short ones are timed more often: the fastest of several
/// that are known badly looks faster than it is.
int SweepRunner::rounds(const std::vector<std::size_t>& points) const {
    constexpr double budget = 1;  // seconds
    constexpr int most = 31;
    if (simulated_time) return 1;
    double once = 0;
    for (const std::size_t i : points) once += 2 * times_.points[i].quickest();
    const int often = points.empty() ? 1 : repetitions(once, budget, most);
    return std::max({5, 2 * repetitions_ + 1, often});
}

/// Times all that is compared in turn, so that a drift of the machine's speed affects all alike.
/// These are the blocking run, the computation, both plans, and the fastest points once more before
/// one of them is called the best.
void SweepRunner::sample_interleaved(Trial& planned) {
    constexpr std::size_t most_points = 5;
    const std::vector<std::size_t> points = fastest_points(most_points);
    const int count = rounds(points);
    if (!simulated_time)
        for (const std::size_t i : points) times_.points[i].seconds.clear();
    for (int round = 0; round < count; ++round) {
        report(0.85 + 0.15 * round / count, "plan and best cells in turn");
        times_.blocking.push_back(trial_.blocking());
        if (times_.ours.plan) times_.ours.seconds.push_back(planned.planned(*times_.ours.plan));
        times_.computation.push_back(trial_.computation());
        if (times_.paper.plan)
            times_.paper.seconds.push_back(trial_.uniform(point_of(*times_.paper.plan)));
        if (simulated_time) continue;
        for (const std::size_t i : points)
            times_.points[i].seconds.push_back(trial_.uniform(times_.points[i].point));
    }
    if (!points.empty())
        times_.best =
            *std::min_element(points.begin(), points.end(), [&](std::size_t a, std::size_t b) {
                return times_.points[a].quickest() < times_.points[b].quickest();
            });
}

}  // namespace lapwing::tools
