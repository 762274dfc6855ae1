#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace lapwing::simulate {

/// Throws `std::invalid_argument`: there is no `what` of that name, the nearest that there is, and
/// all of them.
[[noreturn]] void throw_unknown_name(const std::string& what, std::string_view name,
                                     const std::vector<std::string>& known);

}  // namespace lapwing::simulate
