#pragma once

#include <nlohmann/json.hpp>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/words.hpp"
#include "lapwing/plan/workload.hpp"

/// What plans and what a tuner learnt write alike.
namespace lapwing {

/// Appends to the object `document` how the messages of a workload run, and between whom.
inline void append_pattern(nlohmann::ordered_json& document, const Workload& workload) {
    document["pattern"] = name(workload.pattern);
    document["direction"] = name(workload.direction);
    document["dependence"] = name(workload.dependence);
    document["ranks"] = workload.ranks;
    document["peers"] = workload.peers;
    document["balanced"] = workload.balanced;
    document["block"] = workload.block;
    document["stride"] = workload.stride;
    document["sizes_known"] = workload.sizes_known;
}

/// Runs of equal messages: the size of each, bytes, and how many there are.
inline nlohmann::ordered_json runs_document(const Messages& messages) {
    auto runs = nlohmann::ordered_json::array();
    for (const auto& [size, count] : messages.runs()) runs.push_back({size, count});
    return runs;
}

}  // namespace lapwing
