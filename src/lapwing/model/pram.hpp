#pragma once

namespace lapwing::model {

/// PRAM: a communication takes one unit of time, whatever it moves (Fortune, Wyllie 1978). The unit
/// is not seconds: the model counts communications.
[[nodiscard]] constexpr double pram() { return 1; }

}  // namespace lapwing::model
