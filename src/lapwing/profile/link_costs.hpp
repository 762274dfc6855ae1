#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lapwing/profile/bandwidth.hpp"
#include "lapwing/profile/latency.hpp"
#include "lapwing/profile/loggp.hpp"
#include "lapwing/profile/overhead.hpp"
#include "lapwing/profile/protocol.hpp"

namespace lapwing {

/// How a network interface treats several messages under way at once.
enum class Nic {
    serialising,  ///< one after another, in the order they were sent
    sharing,      ///< all together, each at a share of the bandwidth
};
/// Their names in documents, in this order.
[[nodiscard]] constexpr std::array<const char*, 2> names_of(Nic) {
    return {"serialising", "sharing"};
}

/// What messages between two ranks cost: the parameters, and the tables by size. All that the
/// engine and the models need to know of a pair of ranks, whether it was measured (a profile's two
/// ranks, two-sided) or derived (ranks that compute meanwhile, or messages moved by puts or gets).
struct LinkCosts {
    LogGP loggp;
    Overhead overhead;
    Bandwidth bandwidth;
    std::optional<Latency> latency;    ///< of one message by itself; none: by `loggp`
    std::optional<Protocol> protocol;  ///< sizes at which the library changes its protocol
    Nic nic = Nic::serialising;
    /// On a shared interface, the largest message, bytes, that nevertheless goes one after another:
    /// MPI writes eager messages to one stream. 0 if there is none.
    std::uint64_t in_order_up_to = 0;
};

}  // namespace lapwing
