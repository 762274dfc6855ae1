#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/transport.hpp"
#include "lapwing/transport/ucx/messages.hpp"

namespace lapwing {

/// Messages by `ucp_get_nbx`. What is sent lies in memory of the transport, what is received may go
/// anywhere. `send` offers its memory, and is complete when the receiver's flag says that it has
/// been read; `receive` gets as soon as it has the offer.
class UcxGet : public UcxMessages {
  public:
    /// Collective over `original`; `bytes` of memory to send from.
    explicit UcxGet(MPI_Comm original, std::size_t bytes)
        : UcxMessages(original, bytes, Move::get) {}

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return offer(from, bytes, peer, tag);
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return move(into, bytes, peer, tag);
    }
};

static_assert(Transport<UcxGet>);

}  // namespace lapwing
