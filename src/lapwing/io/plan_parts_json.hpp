#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/io/document_reader.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/plan/workload.hpp"

/// The parts of JSON documents that plans and states of tuners have in common.
namespace lapwing {

/// Appends the pattern of a workload to the object `document`: its name, ranks, direction and so
/// on.
inline void append_pattern(Json& document, const Workload& workload) {
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

/// Reads what `append_pattern` wrote.
inline void read_pattern(const DocumentReader& read, Workload& workload) {
    read.word("pattern", workload.pattern, &pattern_named);
    read.word("direction", workload.direction, &direction_named);
    read.word("dependence", workload.dependence, &dependence_named);
    read("ranks", workload.ranks);
    read("peers", workload.peers);
    read("balanced", workload.balanced);
    read("block", workload.block);
    read("stride", workload.stride);
    read("sizes_known", workload.sizes_known);
}

/// Messages as a list of runs, each a pair of a size in bytes and a count.
inline Json runs_document(const Messages& messages) {
    auto runs = Json::array();
    for (const auto& [size, count] : messages.runs()) runs.push_back({size, count});
    return runs;
}

/// Reads what `runs_document` wrote from the member `name`. Refuses more than `volume` bytes in
/// all.
inline Messages read_runs(const DocumentReader& read, const char* name, std::uint64_t grain,
                          std::uint64_t volume) {
    std::vector<std::vector<std::uint64_t>> runs;
    read(name, runs);
    Messages messages(grain);
    for (const auto& run : runs) {
        if (run.size() != 2 || run[0] == 0 || run[1] == 0)
            refuse_document("messages must be pairs of a size and a count, above 0");
        if (run[0] > volume || run[1] > (volume - messages.volume()) / run[0])
            refuse_document("messages have more bytes than the workload");
        messages.append(run[0], run[1]);
    }
    return messages;
}

}  // namespace lapwing
