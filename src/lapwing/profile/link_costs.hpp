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

/// What is different about messages that one side moves. Two-sided ones have none of it.
struct OneSidedMessages {
    /// Whether receivers read the data: `o_r` is then the overhead of initiating a read.
    bool pulled = false;
    /// Seconds from the arrival of a message until its sender knows of it, and its send ends.
    double acknowledgement = 0;
    // Where the memory of streams between a rank and several is offered:
    double offer_interval = 0;  ///< seconds from an offer of the one rank to its next
    double offer_receive = 0;   ///< seconds of a rank for each offer that it gets but the first
    /// Seconds until the first offer arrives; a rank that computes before it sends waits for it.
    double offered = 0;
};

/// What messages between two ranks cost: the parameters, and the tables by size. It is all that the
/// engine and the models need to know of a pair of ranks. It is measured (a profile's two ranks,
/// two-sided) or derived (ranks that compute meanwhile, or puts or gets).
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
    OneSidedMessages one_sided;
};

}  // namespace lapwing
