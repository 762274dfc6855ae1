#include "lapwing/profile/protocol.hpp"

#include <algorithm>
#include <cstddef>

namespace lapwing {

double rendezvous_cost(const std::optional<Protocol>& protocol, std::uint64_t size) {
    if (!protocol || !protocol->eager || size <= *protocol->eager) return 0;
    for (std::size_t k = 0; k < protocol->switches.size(); ++k)
        if (protocol->switches[k] == *protocol->eager)
            return std::max(0.0, protocol->switch_costs[k]);
    return 0;
}

}  // namespace lapwing
