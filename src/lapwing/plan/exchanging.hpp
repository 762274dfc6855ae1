#pragma once

#include <cstddef>

#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What ranks that all send, receive and compute go by of what was measured of such.
struct LeastExposed {
    std::size_t at = 0;   ///< of the table: of the sizes that expose about the least a byte
    bool polled = false;  ///< whether the transport is polled meanwhile
    double per_byte = 0;  ///< seconds that a byte of it exposes
};

/// `exposure` has a size at least. `G`: of the wire, seconds per byte; polling has a price of its
/// own, which grows with what is in flight, and must save a quarter of the transfer.
[[nodiscard]] LeastExposed least_exposed(const ExposedTime& exposure, double G);

/// Seconds that a message of `size` bytes exposes, between the sizes measured; one larger than
/// those exposed least as much a byte.
[[nodiscard]] double exposed_at(const ExposedTime& exposure, const LeastExposed& least,
                                double size);

/// The profile as it is for ranks that all send, receive and compute: a message's overheads, at
/// both of its ends together, are what it was seen to cost such ranks beyond their computation, in
/// a workload of this dependence, and the system takes nothing beside. Messages larger than those
/// exposed least cost as much a byte, and what patterns of such were seen to take is left out. The
/// wire is as fast as it was seen to be. The profile itself where that was not measured.
[[nodiscard]] Profile exchanging(const Profile& profile, const Workload& workload);

}  // namespace lapwing
