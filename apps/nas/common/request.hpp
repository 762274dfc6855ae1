#pragma once

#include <functional>
#include <optional>
#include <string>

#include "lapwing/profile/profile.hpp"
#include "options.hpp"

namespace lapwing::nas {

/// What to run, and what to do besides.
struct Request {
    std::string problem = "S";         ///< name of the class
    std::optional<Options> options{};  ///< the way to run; none: a plan chooses it
    std::optional<Profile> profile{};  ///< of this machine, to predict what the run takes
    int ranks_per_node = 1;            ///< as the profile counts them
    std::string trace{};               ///< file for all ranks' time lines; empty: none
    /// Called on rank 0 with the share that is done and what comes next.
    std::function<void(double, const char*)> tell{};
};

}  // namespace lapwing::nas
