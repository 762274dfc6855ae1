#pragma once

#include <string>
#include <string_view>

#include "lapwing/tuner/tuner_state.hpp"

namespace lapwing {

/// The state of a tuner as a JSON document. Times are plain numbers in seconds.
[[nodiscard]] std::string to_json(const TunerState& learnt);

/// Reads the state of a tuner from such a document. Throws `std::runtime_error` with one line,
/// which names the fault and its place. Ignores unknown fields.
[[nodiscard]] TunerState tuner_state_from_json(std::string_view document);

/// Reads the file at `path`. Throws as `tuner_state_from_json`, with the path in front.
[[nodiscard]] TunerState load_tuner_state(const std::string& path);

/// Writes the file at `path`, all or nothing. Throws as `write_file`.
void save_tuner_state(const std::string& path, const TunerState& learnt);

}  // namespace lapwing
