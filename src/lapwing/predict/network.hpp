#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/model/network.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The network for the closed forms, with the message costs of `simulate::MeasuredMachine`, the
/// machine that the event engine simulates. `stride`: bytes from one element to the next if data is
/// strided. Throws `std::invalid_argument` as that machine does.
[[nodiscard]] model::Network measured_network(const Profile& profile, std::uint64_t ranks_per_node,
                                              std::optional<std::uint64_t> stride = {});

}  // namespace lapwing
