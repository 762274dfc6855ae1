#pragma once

#include <string>
#include <vector>

#include "lapwing/io/trace_event.hpp"

namespace lapwing {

/// The activities of ranks as a time line for Perfetto (ui.perfetto.dev) or Chrome's tracing. It is
/// a JSON document in the trace event format, with a process for each rank. Times begin at the
/// earliest event. `ranks`: the events of each rank, all by the same clock.
[[nodiscard]] std::string trace_json(const std::vector<std::vector<Event>>& ranks);

}  // namespace lapwing
