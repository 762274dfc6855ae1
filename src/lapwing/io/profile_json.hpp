#pragma once

#include <string>
#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The profile as a JSON document, as the published schema describes it. Times in seconds, plain
/// numbers.
[[nodiscard]] std::string to_json(const Profile& profile);

/// Reads a profile from a JSON document. Throws `std::runtime_error` with one line that says what
/// is wrong and where: not JSON, another schema version, a field missing, of the wrong type or out
/// of range. Fields it does not know are passed over.
[[nodiscard]] Profile profile_from_json(std::string_view document);

/// Reads the profile file at `path`; throws as `profile_from_json`, the path in front.
[[nodiscard]] Profile load_profile(const std::string& path);

}  // namespace lapwing
