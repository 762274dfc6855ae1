#include "lapwing/io/trace_json.hpp"

#include <algorithm>
#include <limits>

#include "lapwing/io/trace_writer.hpp"

namespace lapwing {
namespace {

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

/// What the index of an event counts.
const char* indexed(Activity activity) {
    switch (activity) {
        case Activity::computation:
            return "step";
        case Activity::poll:
            return "poll";
        default:
            return "message";
    }
}

constexpr double microseconds = 1e6;  // a second in the unit of the format

}  // namespace

std::string trace_json(const std::vector<std::vector<Event>>& ranks) {
    double start = std::numeric_limits<double>::infinity();
    for (const auto& events : ranks)
        for (const auto& event : events) start = std::min(start, event.start);

    TraceWriter trace;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        trace.process(rank, "rank " + std::to_string(rank));
        for (const auto& event : ranks[rank])
            trace.busy(name(event.activity), rank, 0, (event.start - start) * microseconds,
                       (event.end - event.start) * microseconds,
                       {{indexed(event.activity), event.index}});
    }
    return trace.take();
}

}  // namespace lapwing
