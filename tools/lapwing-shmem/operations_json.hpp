#pragma once

#include <string>

#include "lapwing/profile/profile.hpp"

namespace lapwing::tools {

/// The operations of a profile as a document, with the keys "operations", "interpolated" and
/// "warnings", which are as in a profile.
[[nodiscard]] std::string operations_json(const Profile& profile);

}  // namespace lapwing::tools
