#pragma once

#include <string>
#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The profile as a JSON document, as the published schema describes it. Times are plain numbers in
/// seconds.
[[nodiscard]] std::string to_json(const Profile& profile);

/// The text of a profile document of any schema version, in the present form. What is misshapen
/// inside stays as it is. Throws `std::runtime_error` with one line: not JSON, another document, or
/// a version that this Lapwing does not know.
[[nodiscard]] std::string upgraded_profile(std::string_view document);

/// Reads a profile from a JSON document of any schema version up to the present one. Throws
/// `std::runtime_error` with one line, which names the fault and its place. Faults are: not JSON,
/// an unknown schema version, a field missing, of the wrong type or out of range. Ignores unknown
/// fields.
[[nodiscard]] Profile profile_from_json(std::string_view document);

/// Reads the profile file at `path`. Throws as `profile_from_json`, with the path in front.
[[nodiscard]] Profile load_profile(const std::string& path);

}  // namespace lapwing
