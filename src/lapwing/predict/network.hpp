#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/model/network.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The network that the closed forms are of, with the costs of the machine that the engine plays:
/// `simulate::MeasuredMachine`, with a `stride` in bytes from one element to the next, or without.
/// Throws `std::invalid_argument` as it does.
[[nodiscard]] model::Network measured_network(const Profile& profile, std::uint64_t ranks_per_node,
                                              std::optional<std::uint64_t> stride = {});

}  // namespace lapwing
