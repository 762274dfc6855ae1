#include "lapwing/io/sensitivity_json.hpp"

#include <optional>

#include "lapwing/io/section_json.hpp"

namespace lapwing {
namespace {

Json number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json document(const Misestimate& estimate) {
    return {{"changes", number(estimate.changes)},
            {"costs", number(estimate.costs)},
            {"worst", estimate.worst}};
}

}  // namespace

std::string to_json(const Sensitivity& sensitivity) {
    const Json json = {{"lapwing", "sensitivity"},
                       {"over", document(sensitivity.over)},
                       {"under", document(sensitivity.under)},
                       {"model", sensitivity.model},
                       {"misdiagnosed", sensitivity.misdiagnosed}};
    return json.dump(2) + "\n";
}

}  // namespace lapwing
