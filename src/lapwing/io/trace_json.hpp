#pragma once

#include <string>
#include <vector>

#include "lapwing/io/trace_event.hpp"

namespace lapwing {

/// What ranks did, as a time line that Perfetto (ui.perfetto.dev) and Chrome's tracing show: a JSON
/// document in the trace event format, a process for each rank, times from the earliest event on.
/// `ranks`: the events of each rank, all of one clock.
[[nodiscard]] std::string trace_json(const std::vector<std::vector<Event>>& ranks);

}  // namespace lapwing
