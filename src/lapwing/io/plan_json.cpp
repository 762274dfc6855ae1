#include "lapwing/io/plan_json.hpp"

#include <nlohmann/json.hpp>

namespace lapwing {
namespace {

using Json = nlohmann::ordered_json;

// Longer lists help nobody; the compact form says the same.
constexpr std::uint64_t longest_list = 1'000'000;

const char* name(Bound bound) {
    switch (bound) {
        case Bound::communication:
            return "communication";
        case Bound::computation:
            return "computation";
        case Bound::latency:
            return "latency";
    }
    return "";
}

Json compact(const Messages& messages) {
    Json runs = Json::array();
    for (const auto& [size, count] : messages.runs()) runs.push_back({size, count});
    return {{"volume", messages.volume()},
            {"grain", messages.grain()},
            {"count", messages.count()},
            {"runs", runs}};
}

Json seconds(double value) { return {{"seconds", value}}; }

}  // namespace

std::string to_json(const Plan& plan) {
    Json document = {
        {"method", plan.method == Method::paper ? "paper" : "lapwing"},
        {"volume", plan.workload.volume},
        {"compute", seconds(plan.workload.compute)},
        {"grain", plan.workload.grain},
        {"pattern", "stream"},
        {"direction", plan.workload.direction == Direction::fetch ? "fetch" : "produce"},
        {"count", plan.messages.count()},
        {"messages", nullptr},
        {"compact", compact(plan.messages)},
        {"window", plan.window},
        {"burst", plan.burst > 0 ? Json(plan.burst) : Json(nullptr)},
        {"pace", plan.pace},
        {"poll_interval", seconds(plan.poll_interval)},
        {"poll_reason", plan.poll_reason},
        {"predicted", seconds(plan.predicted)},
        {"limit", seconds(plan.limit)},
        {"blocking", seconds(plan.blocking)},
        {"bound", name(plan.bound)}};
    if (plan.messages.count() <= longest_list) document["messages"] = plan.messages.list();
    return document.dump(2) + "\n";
}

}  // namespace lapwing
