#pragma once

#include <cstdint>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Whether what the wire takes for a message lies on a straight line between neighbouring measured
/// sizes, to a tenth. Where it does not, as with switches of protocol, nobody knows what a size in
/// between costs.
[[nodiscard]] bool straight_between_sizes(const Profile& profile);

/// The largest size of which the bandwidth was measured that is not above `size`, bytes; `size`
/// where there is none.
[[nodiscard]] std::uint64_t measured_size(const Profile& profile, std::uint64_t size);

}  // namespace lapwing
