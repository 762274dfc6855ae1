#pragma once

#include <string>

#include "lapwing/profile/profile.hpp"

namespace lapwing::tools {

/// What a profile says of its operations, as a document: "operations", "interpolated" and
/// "warnings" as they are in a profile, and nothing else.
[[nodiscard]] std::string operations_json(const Profile& profile);

}  // namespace lapwing::tools
