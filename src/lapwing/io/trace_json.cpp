#include "lapwing/io/trace_json.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace lapwing {
namespace {

using Json = nlohmann::ordered_json;

const char* name(Activity activity) {
    switch (activity) {
        case Activity::initiation:
            return "initiation";
        case Activity::wait:
            return "wait";
        case Activity::computation:
            return "computation";
        case Activity::poll:
            return "poll";
        case Activity::consumption:
            return "consumption";
    }
    return "";
}

/// The number that is counted through: steps are computed, messages are everything else.
const char* counted(Activity activity) {
    switch (activity) {
        case Activity::computation:
            return "step";
        case Activity::poll:
            return "poll";
        default:
            return "message";
    }
}

constexpr double microseconds = 1e6;  // what the format counts in

}  // namespace

std::string trace_json(const std::vector<std::vector<Event>>& ranks) {
    double start = std::numeric_limits<double>::infinity();
    for (const auto& events : ranks)
        for (const auto& event : events) start = std::min(start, event.start);

    // One event after another: a document of a long run would need many times its length.
    std::string text = R"({"displayTimeUnit":"ns","traceEvents":[)";
    const auto append = [&](const Json& event) {
        if (text.back() != '[') text += ',';
        text += '\n';
        text += event.dump();
    };
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        append({{"name", "process_name"},
                {"ph", "M"},
                {"pid", rank},
                {"args", {{"name", "rank " + std::to_string(rank)}}}});
        append({{"name", "process_sort_index"},
                {"ph", "M"},
                {"pid", rank},
                {"args", {{"sort_index", rank}}}});
        for (const auto& event : ranks[rank])
            append({{"name", name(event.activity)},
                    {"ph", "X"},
                    {"pid", rank},
                    {"tid", 0},
                    {"ts", (event.start - start) * microseconds},
                    {"dur", (event.end - event.start) * microseconds},
                    {"args", {{counted(event.activity), event.index}}}});
    }
    return text + "\n]}\n";
}

}  // namespace lapwing
