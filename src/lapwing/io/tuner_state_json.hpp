#pragma once

#include <string>
#include <string_view>

#include "lapwing/plan/learnt.hpp"

namespace lapwing {

/// What a tuner learnt, as a JSON document. Times in seconds, plain numbers.
[[nodiscard]] std::string to_json(const Learnt& learnt);

/// Reads what `to_json` wrote. Throws `std::runtime_error` with one line that says what is wrong
/// and where. Fields it does not know are passed over.
[[nodiscard]] Learnt tuner_state_from_json(std::string_view document);

/// Reads the file at `path`; throws as `tuner_state_from_json`, the path in front.
[[nodiscard]] Learnt load_tuner_state(const std::string& path);

/// Writes the file at `path`, all of it or nothing; throws as `write_file`.
void save_tuner_state(const std::string& path, const Learnt& learnt);

}  // namespace lapwing
