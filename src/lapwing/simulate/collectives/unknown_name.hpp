#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapwing::simulate {

/// Throws `std::invalid_argument`: `name` is not the name of a `what`, which is the most similar
/// one, and which there are.
[[noreturn]] void throw_unknown_name(const std::string& what, std::string_view name,
                                     const std::vector<std::string>& known);

}  // namespace lapwing::simulate
