#pragma once

#include <mpi.h>

#include <cstddef>
#include <stdexcept>
#include <string>

#include "lapwing/transport/rma/notified_get.hpp"
#include "lapwing/transport/rma/notified_put.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::nas {

/// Calls `use(transport)` with the transport of that name. `capacity`: bytes that a rank's messages
/// take, for a one-sided transport's window. Throws `std::invalid_argument` for another name.
/// Collective over `ranks`.
template <class Use>
void with_transport(const std::string& name, MPI_Comm ranks, std::size_t capacity, Use&& use) {
    if (name == "two-sided") {
        TwoSided transport(ranks);
        use(transport);
    } else if (name == "put") {
        NotifiedPut transport(ranks, capacity);
        use(transport);
    } else if (name == "get") {
        NotifiedGet transport(ranks, capacity);
        use(transport);
    } else {
        throw std::invalid_argument("no transport \"" + name +
                                    "\"; there are two-sided, put and get");
    }
}

}  // namespace lapwing::nas
