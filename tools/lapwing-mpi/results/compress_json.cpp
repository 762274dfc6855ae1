#include "results/compress_json.hpp"

#include <algorithm>

#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

/// How blocks were collected.
Json plan_json(const GatherPlan& gather) {
    Json tiles = Json::array();
    for (const auto& run : gather.plan.messages.runs())
        tiles.push_back({{"tile", run.size}, {"count", run.count}});
    return {{"tiles", tiles},
            {"window", gather.plan.window},
            {"poll_interval", {{"seconds", gather.plan.poll_interval}}},
            {"poll_reason", gather.plan.poll_reason},
            {"root_share", gather.root_share}};
}

/// Times of the pipeline, compared with the blocking run and the computation alone.
class PipelineTimes {
  public:
    explicit PipelineTimes(const compress::Times& times)
        : T_blocking_(median_of(times.blocking)),
          T_computation_(median_of(times.computation)),
          T_communication_(std::max(T_blocking_ - T_computation_, 0.0)) {}

    [[nodiscard]] double communication() const { return T_communication_; }
    /// No pipeline is faster than this.
    [[nodiscard]] double limit() const { return std::max(T_computation_, T_communication_); }

    [[nodiscard]] Json compared(const std::vector<double>& samples) const {
        const double T = median_of(samples);
        const double hideable = std::min(T_computation_, T_communication_);
        Json json = time_json(samples);
        json["overhead"] = {{"seconds", T - T_computation_}};
        json["overhead_reduction"] = ratio(T_blocking_ - T, T_communication_);
        json["hidden"] = ratio(T_blocking_ - T, hideable);
        json["efficiency"] = ratio(limit(), T);
        return json;
    }

  private:
    static Json ratio(double part, double all) {
        return all > 0 ? Json(part / all) : Json(nullptr);
    }

    double T_blocking_;
    double T_computation_;
    double T_communication_;
};

std::string finished(Json json, const CompressRun& run) {
    json["block"] = run.block;
    json["ranks"] = run.ranks;
    return text_of(json);
}

}  // namespace

double share_of(std::uint64_t part, std::uint64_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

std::string compress_json(const compress::Done& done, const CompressRun& run) {
    const auto plain = run.decompressed ? done.written : done.read;
    const auto packed = run.decompressed ? done.read : done.written;
    Json json = {{"lapwing", "compress"},
                 {"read", done.read},
                 {"written", done.written},
                 {"ratio", share_of(plain, packed)},
                 {"seconds", done.seconds},
                 {"rate", done.seconds > 0 ? static_cast<double>(plain) / done.seconds : 0},
                 {"collection", plan_json(done.plan)}};
    if (done.predicted > 0) json["predicted"] = {{"seconds", done.predicted}};
    return finished(json, run);
}

std::string compress_benchmark_json(const compress::Times& times, const CompressRun& run) {
    const PipelineTimes pipeline(times);
    Json json = {{"lapwing", "compress-sweep"},
                 {"read", times.read},
                 {"written", times.written},
                 {"arrived", times.arrived},
                 {"blocking", time_json(times.blocking)},
                 {"computation", time_json(times.computation)},
                 {"communication", {{"seconds", pipeline.communication()}}},
                 {"limit", {{"seconds", pipeline.limit()}}}};
    json["pipelined"] = pipeline.compared(times.planned.seconds);
    json["pipelined"].update(plan_json(times.planned.plan));
    if (run.planned)
        json["pipelined"]["predicted"] = {{"seconds", times.planned.plan.plan.predicted}};
    json["cells"] = Json::array();
    for (const auto& cell : times.cells) {
        Json one = {{"tile", cell.tile}, {"window", cell.plan.plan.window}};
        one.update(pipeline.compared(cell.seconds));
        json["cells"].push_back(one);
    }
    return finished(json, run);
}

}  // namespace lapwing::tools
