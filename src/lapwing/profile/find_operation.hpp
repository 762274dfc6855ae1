#pragma once

#include <string_view>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The measured costs of the operation `name` of a transport (say "rput" of "rma"), with at least
/// one size and one burst. Null if it was not measured.
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
