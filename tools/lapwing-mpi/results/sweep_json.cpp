#include "results/sweep_json.hpp"

#include <algorithm>

#include "lapwing/io/plan_json.hpp"
#include "lapwing/plan/names.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

Json point_json(const GridPoint& point, const std::vector<double>& seconds) {
    Json json = {{"template", point.burst > 0 ? name(point.schedule) : "pipeline"},
                 {"message", point.message},
                 {"burst", point.burst > 0 ? Json(point.burst) : Json(nullptr)},
                 {"window", point.window},
                 {"order", name(point.order)},
                 {"staggered", point.staggered}};
    if (point.packing != Packing::none) json["packing"] = name(point.packing);
    json.update(time_json(seconds));
    return json;
}

Json workload_json(const Workload& workload, const std::string& transport) {
    return {{"lapwing", "sweep"},
            {"pattern", name(workload.pattern)},
            {"direction", name(workload.direction)},
            {"dependence", name(workload.dependence)},
            {"ranks", workload.ranks},
            {"peers", workload.peers},
            {"balanced", workload.balanced},
            {"block", workload.block},
            {"stride", workload.stride},
            {"sizes_known", workload.sizes_known},
            {"transport", transport},
            {"volume", workload.volume},
            {"grain", workload.grain}};
}

/// The times of a sweep and what they are compared with.
class Comparison {
  public:
    explicit Comparison(const SweepTimes& times)
        : times_(times),
          best_(times.points.empty() ? nullptr : &times.points[times.best]),
          T_blocking_(median_of(times.blocking)),
          T_computation_(median_of(times.computation)),
          // On a disturbed machine the difference of two runs may be negative.
          T_communication_(std::max(0.0, T_blocking_ - T_computation_)) {}

    void add_to(Json& json) {
        json["ratio"] = times_.ratio;
        json["blocking"] = time_json(times_.blocking);
        json["computation"] = time_json(times_.computation);
        add_communication(json);
        if (times_.ours.plan) json["limit"] = {{"seconds", times_.ours.plan->limit}};
        json["cells"] = Json::array();
        for (const auto& timed : times_.points)
            json["cells"].push_back(point_json(timed.point, timed.seconds));
        if (best_ != nullptr) {
            json["best"] = point_json(best_->point, best_->seconds);
            json["best"]["hidden"] = hidden(best_->quickest());
        }
        if (times_.paper.plan) add_paper(json);
        if (times_.ours.plan) add_plan(json);
    }

  private:
    void add_communication(Json& json) {
        if (best_ == nullptr) {
            json["communication"] = {{"seconds", T_communication_}};
            return;
        }
        const auto& least =
            *std::min_element(times_.points.begin(), times_.points.end(),
                              [](const TimedPoint& a, const TimedPoint& b) {
                                  return median_of(a.communication) < median_of(b.communication);
                              });
        T_communication_ = median_of(least.communication);
        json["communication"] = time_json(least.communication);
    }
    void add_paper(Json& json) const {
        const double T_paper = median_of(times_.paper.seconds);
        Json& paper = json["paper"] =
            point_json(point_of(*times_.paper.plan), times_.paper.seconds);
        paper["predicted"] = {{"seconds", times_.paper.plan->predicted}};
        if (best_ != nullptr) paper["loss"] = loss(T_paper);
        paper["hidden"] = hidden(T_paper);
    }
    void add_plan(Json& json) const {
        const double T_plan = median_of(times_.ours.seconds);
        Json plan = Json::parse(to_json(*times_.ours.plan));
        const Json predicted = plan["predicted"];
        plan.erase("predicted");
        plan.update(time_json(times_.ours.seconds));
        plan["predicted"] = predicted;
        json["plan"] = plan;
        json["hidden"] = hidden(T_plan);
        if (best_ != nullptr) json["loss"] = loss(T_plan);
        json["efficiency"] = times_.ours.plan->limit / T_plan;
        json["reached"] = std::max(T_computation_, T_communication_) / T_plan;
    }
    /// Time beyond the best point's, relative to the blocking run.
    [[nodiscard]] double loss(double seconds) const {
        return (seconds - best_->quickest()) / T_blocking_;
    }
    /// Hidden time over the time that could be hidden; null if none could.
    [[nodiscard]] Json hidden(double seconds) const {
        const double hideable = std::min(T_computation_, T_communication_);
        return hideable > 0 ? Json((T_blocking_ - seconds) / hideable) : Json(nullptr);
    }

    const SweepTimes& times_;
    const TimedPoint* best_;  ///< null if no points were timed
    double T_blocking_;
    double T_computation_;
    double T_communication_;
};

}  // namespace

double TimedPoint::quickest() const { return median_of(seconds); }

std::string sweep_json(const Workload& workload, const std::string& transport,
                       const SweepTimes& times, const std::vector<std::string>& warnings) {
    Json json = workload_json(workload, transport);
    Comparison(times).add_to(json);
    if (!warnings.empty()) json["warnings"] = warnings;
    return text_of(json);
}

}  // namespace lapwing::tools
