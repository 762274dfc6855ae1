#pragma once

#include <string>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// The plan as a JSON document: `messages` the list of sizes in bytes (null beyond a million;
/// beside it always `compact`, runs of equal messages), `window`, `burst`, `pace`,
/// `order`, `staggered`, `tile`, `transport`, `transport_reason`, `packing`, `poll_interval`,
/// `predicted.seconds`, `limit.seconds`, `blocking.seconds`, `bound`, `runner_up` (null where there
/// is none), `method`, and the workload.
[[nodiscard]] std::string to_json(const Plan& plan);

/// The plan that such a document holds. Throws `std::invalid_argument`, in one line, for one that
/// is none.
[[nodiscard]] Plan plan_from_json(const std::string& document);

}  // namespace lapwing
