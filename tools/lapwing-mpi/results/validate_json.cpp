#include "results/validate_json.hpp"

#include <algorithm>

#include "results/time_json.hpp"

namespace lapwing::tools {
namespace {

Json call_json(const TimedCall& call) {
    Json json = {{"operation", call.operation},  {"size", call.size},
                 {"seconds", call.time.median},  {"error", call.time.error},
                 {"samples", call.time.samples}, {"dropped", call.time.dropped}};
    if (call.packed) json["packed"] = *call.packed;
    if (call.comparable) json["same_environment"] = *call.comparable;
    return json;
}

}  // namespace

std::string validate_json(const ValidateResult& result) {
    Json json = {{"machine", Json::object()},
                 {"warnings", result.warnings},
                 {"preempted", result.preempted},
                 {"measurements", Json::array()}};
    for (const auto& [name, value] : result.machine) json["machine"][name] = value;
    for (const TimedCall& call : result.calls) json["measurements"].push_back(call_json(call));
    return text_of(json);
}

}  // namespace lapwing::tools
