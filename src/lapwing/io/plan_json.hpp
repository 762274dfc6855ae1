#pragma once

#include <string>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// The plan as a JSON document, as its schema describes it, with the workload. `messages` is the
/// list of sizes in bytes, or null for more than a million messages; `compact` has runs of equal
/// messages.
[[nodiscard]] std::string to_json(const Plan& plan);

/// Reads a plan from such a document. Throws `std::invalid_argument` with one line if it is none.
[[nodiscard]] Plan plan_from_json(const std::string& document);

}  // namespace lapwing
