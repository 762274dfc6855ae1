#pragma once

#include <string>

#include "lapwing/plan/sensitivity.hpp"

namespace lapwing {

/// The sensitivity of a plan as a JSON document: `over` and `under`, each with the errors `changes`
/// and `costs` (null where none of those tried is large enough) and the loss `worst`; the losses
/// `model` and `misdiagnosed`.
[[nodiscard]] std::string to_json(const Sensitivity& sensitivity);

}  // namespace lapwing
