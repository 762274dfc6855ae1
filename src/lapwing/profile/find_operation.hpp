#pragma once

#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What was measured of the operation `name` of a transport ("rput" of "rma"), complete: at least
/// one size and one burst. Null where it was not.
[[nodiscard]] inline const OperationCosts* find_operation(const Profile& profile,
                                                          std::string_view transport,
                                                          std::string_view name) {
    for (const OperationCosts& operation : profile.operations)
        if (operation.name == name && operation.transport == transport &&
            !operation.sizes.empty() && !operation.bursts.empty())
            return &operation;
    return nullptr;
}

}  // namespace lapwing
