#pragma once

#include <string>

#include "lapwing/plan/sensitivity.hpp"

namespace lapwing {

/// The sensitivity of a plan as a JSON document, as its schema describes it: `over` and `under`,
/// each with the errors `changes` and `costs` (null if no error that was tried is large enough) and
/// the loss `worst`; and the losses `model` and `misdiagnosed`.
[[nodiscard]] std::string to_json(const Sensitivity& sensitivity);

}  // namespace lapwing
