#include "lapwing/io/plan_json.hpp"

#include "lapwing/io/plan_parts_json.hpp"
#include "lapwing/plan/names.hpp"

namespace lapwing {
namespace {

// Plans of more messages have no list of sizes: the compact form says the same.
constexpr std::uint64_t longest_list = 1'000'000;

Json compact(const Messages& messages) {
    return {{"volume", messages.volume()},
            {"grain", messages.grain()},
            {"count", messages.count()},
            {"runs", runs_document(messages)}};
}

Json seconds(double value) { return {{"seconds", value}}; }

}  // namespace

std::string to_json(const Plan& plan) {
    const Workload& workload = plan.workload;
    Json document = {{"lapwing", "plan"},
                     {"method", name(plan.method)},
                     {"volume", workload.volume},
                     {"compute", seconds(workload.compute)},
                     {"grain", workload.grain}};
    append_pattern(document, workload);
    document.update({{"uncertainty", workload.uncertainty},
                     {"count", plan.messages.count()},
                     {"messages", nullptr},
                     {"compact", compact(plan.messages)},
                     {"window", plan.window},
                     {"burst", plan.burst > 0 ? Json(plan.burst) : Json(nullptr)},
                     {"pace", plan.pace},
                     {"order", name(plan.order)},
                     {"staggered", plan.staggered},
                     {"tile", plan.tile},
                     {"transport", plan.transport},
                     {"transport_reason", plan.transport_reason},
                     {"packing", name(plan.packing)},
                     {"poll_interval", seconds(plan.poll_interval)},
                     {"poll_reason", plan.poll_reason},
                     {"predicted", seconds(plan.predicted)},
                     {"limit", seconds(plan.limit)},
                     {"blocking", seconds(plan.blocking)},
                     {"bound", name(plan.bound)},
                     {"runner_up", nullptr}});
    if (!plan.runner_up.what.empty())
        document["runner_up"] = {{"what", plan.runner_up.what},
                                 {"predicted", seconds(plan.runner_up.predicted)}};
    if (plan.messages.count() <= longest_list) document["messages"] = plan.messages.list();
    return document.dump(2) + "\n";
}

}  // namespace lapwing
