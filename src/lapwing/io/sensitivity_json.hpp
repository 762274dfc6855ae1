#pragma once

#include <string>

#include "lapwing/plan/sensitivity.hpp"

namespace lapwing {

/// The sensitivity of a plan as a JSON document, as its schema describes it. `over` and `under`
/// each have the errors `changes` and `costs` (null if no tried error is large enough) and the loss
/// `worst`. `model` and `misdiagnosed` are losses, too.
[[nodiscard]] std::string to_json(const Sensitivity& sensitivity);

}  // namespace lapwing
