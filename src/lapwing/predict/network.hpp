#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/model/network.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The network that the closed forms are of, with the costs of the machine that the engine plays:
/// `simulate::Measured`. With a `stride`, in bytes from one element to the next, what a
/// strided message was measured to take more (log_3P's `l_mw` as far as it does not overlap) is
/// halved between the processors at either end. Throws `std::invalid_argument` where
/// the profile lacks the table for it.
[[nodiscard]] model::Network measured_network(const Profile& profile, std::uint64_t ranks_per_node,
                                              std::optional<std::uint64_t> stride = {});

}  // namespace lapwing
