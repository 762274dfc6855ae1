#include "commands/sweep_runner.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/plan/words.hpp"
#include "support/command.hpp"
#include "support/time_json.hpp"

namespace lapwing::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string words(const GridPoint& point) {
    std::string said = std::to_string(point.message) + " bytes, ";
    said += point.burst > 0 ? "burst " + std::to_string(point.burst)
                            : "window " + std::to_string(point.window);
    if (point.packing != Packing::none) said += ", packing " + std::string(name(point.packing));
    return said + (point.staggered ? ", " : ", same order, ") + std::string(name(point.order));
}

Json point_json(const GridPoint& point, const std::vector<double>& seconds) {
    Json json = {{"template", point.burst > 0 ? "E" : "pipeline"},
                 {"message", point.message},
                 {"burst", point.burst > 0 ? Json(point.burst) : Json(nullptr)},
                 {"window", point.window},
                 {"order", name(point.order)},
                 {"staggered", point.staggered}};
    if (point.packing != Packing::none) json["packing"] = name(point.packing);
    json.update(time_json(seconds));
    return json;
}

/// The one size of a uniform plan.
GridPoint point_of(const Plan& plan) {
    return {.message = plan.messages.runs().front().size,
            .burst = plan.burst,
            .window = plan.window,
            .order = plan.order,
            .staggered = plan.staggered,
            .packing = plan.packing};
}

double median(const std::vector<double>& seconds) { return estimate(seconds).median; }

/// Share of what could be hidden; null where nothing can be.
Json hidden(double blocking, double seconds, double hideable) {
    return hideable > 0 ? Json((blocking - seconds) / hideable) : Json(nullptr);
}

}  // namespace

double TimedPoint::quickest() const { return median(seconds); }

SweepRunner::SweepRunner(Trial& trial, int repetitions, const std::vector<GridPoint>& points)
    : trial_(trial), repetitions_(repetitions) {
    for (const GridPoint& point : points) points_.push_back({point, {}, {}});
    report(0, "communication alone");
    for (TimedPoint& timed : points_)
        for (int i = 0; i < repetitions_; ++i)
            timed.communication.push_back(trial_.uniform(timed.point));
}

double SweepRunner::set_computation(double ratio, double compute) {
    trial_.blocking();  // opens what has to be opened
    const double communication = repeated([&] { return trial_.blocking(); });
    compute_ = compute >= 0 ? compute : ratio * communication;
    ratio_ = compute_ / communication;
    trial_.set_computation(compute_);
    return compute_;
}

void SweepRunner::run(const std::optional<Plan>& ours, const std::optional<Plan>& paper,
                      Trial& planned) {
    ours_ = ours;
    paper_ = paper;
    trial_.blocking();  // first: the others are compared with its result
    for (std::size_t i = 0; i < points_.size(); ++i) {
        report(0.05 + 0.75 * static_cast<double>(i) / static_cast<double>(points_.size()),
               words(points_[i].point));
        for (int k = 0; k < repetitions_; ++k)
            points_[i].seconds.push_back(trial_.uniform(points_[i].point));
    }
    sample_interleaved(planned);
}

Json SweepRunner::result() const {
    const double T_blocking = median(blocking_);
    const double T_computation = median(computation_);
    Json json = {{"ratio", ratio_}};
    json["blocking"] = time_json(blocking_);
    json["computation"] = time_json(computation_);
    // Two runs of a disturbed machine may differ by less than nothing.
    double T_communication = std::max(0.0, T_blocking - T_computation);
    if (!points_.empty()) {
        const auto& least = *std::min_element(
            points_.begin(), points_.end(), [](const TimedPoint& a, const TimedPoint& b) {
                return median(a.communication) < median(b.communication);
            });
        T_communication = median(least.communication);
        json["communication"] = time_json(least.communication);
    } else {
        json["communication"] = {{"seconds", T_communication}};
    }
    if (ours_) json["limit"] = {{"seconds", ours_->limit}};
    json["cells"] = Json::array();
    for (const auto& timed : points_)
        json["cells"].push_back(point_json(timed.point, timed.seconds));
    const double hideable = std::min(T_computation, T_communication);
    if (best() != nullptr) {
        json["best"] = point_json(best()->point, best()->seconds);
        json["best"]["hidden"] = hidden(T_blocking, best()->quickest(), hideable);
    }
    if (paper_) add_paper(json, hideable);
    if (ours_) add_plan(json, hideable);
    if (ours_) json["reached"] = std::max(T_computation, T_communication) / median(ours_seconds_);
    return json;
}

void SweepRunner::add_paper(Json& json, double hideable) const {
    const double T_blocking = median(blocking_);
    const double T_paper = median(paper_seconds_);
    Json& paper = json["paper"] = point_json(point_of(*paper_), paper_seconds_);
    paper["predicted"] = {{"seconds", paper_->predicted}};
    if (best() != nullptr) paper["loss"] = (T_paper - best()->quickest()) / T_blocking;
    paper["hidden"] = hidden(T_blocking, T_paper, hideable);
}

void SweepRunner::add_plan(Json& json, double hideable) const {
    const double T_blocking = median(blocking_);
    const double T_plan = median(ours_seconds_);
    Json plan = Json::parse(to_json(*ours_));
    const Json predicted = plan["predicted"];
    plan.erase("predicted");
    plan.update(time_json(ours_seconds_));
    plan["predicted"] = predicted;
    json["plan"] = plan;
    json["hidden"] = hidden(T_blocking, T_plan, hideable);
    if (best() != nullptr) json["loss"] = (T_plan - best()->quickest()) / T_blocking;
    json["efficiency"] = ours_->limit / T_plan;
}

void SweepRunner::report(double share, const std::string& what) const {
    if (trial_.first()) report_progress(share, what);
}

template <class Run>
double SweepRunner::repeated(Run&& run) {
    std::vector<double> samples;
    samples.reserve(static_cast<std::size_t>(repetitions_));
    for (int i = 0; i < repetitions_; ++i) samples.push_back(run());
    return median(samples);
}

/// What is compared is timed in turn, so that a machine whose speed drifts is as fast for each: the
/// blocking run, both plans, and the best cells once more before one is called the best.
void SweepRunner::sample_interleaved(Trial& planned) {
    constexpr std::size_t finalists = 5;
    constexpr double budget = 1;  // seconds, of short ones
    constexpr int most = 31;
    std::vector<std::size_t> order(points_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return points_[a].quickest() < points_[b].quickest();
    });
    order.resize(std::min(order.size(), finalists));
    // All ranks have the same times, so they agree on the order, and on how often: the best of some
    // that are known badly looks better than it is, so that short ones are timed more often.
    double once = 0;
    for (const std::size_t i : order) once += 2 * points_[i].quickest();
    const int fewest = std::max(5, 2 * repetitions_ + 1);
    const int often = order.empty() ? 1 : repetitions(once, budget, most);
    const int rounds = simulated_time ? 1 : std::max(fewest, often);
    if (!simulated_time)
        for (const std::size_t i : order) points_[i].seconds.clear();
    for (int round = 0; round < rounds; ++round) {
        report(0.85 + 0.15 * round / rounds, "plan and best cells in turn");
        blocking_.push_back(trial_.blocking());
        if (ours_) ours_seconds_.push_back(planned.planned(*ours_));
        computation_.push_back(trial_.computation());
        if (paper_) paper_seconds_.push_back(trial_.uniform(point_of(*paper_)));
        if (!simulated_time) {
            for (const std::size_t i : order)
                points_[i].seconds.push_back(trial_.uniform(points_[i].point));
        }
    }
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t i : order) {
        if (const double seconds = points_[i].quickest(); seconds < least) {
            least = seconds;
            best_ = i;
        }
    }
}

}  // namespace lapwing::tools
