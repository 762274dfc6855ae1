#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/transport/transport.hpp"
#include "lapwing/transport/ucx/messages.hpp"

namespace lapwing {

/// Messages by `ucp_put_nbx`. What is received goes into memory of the transport, what is sent may
/// lie anywhere. `receive` offers its memory; `send` puts as soon as it has the offer, and raises a
/// flag behind the data.
class UcxPut : public UcxMessages {
  public:
    /// Collective over `original`; `bytes` of memory to receive into.
    explicit UcxPut(MPI_Comm original, std::size_t bytes)
        : UcxMessages(original, bytes, Move::put) {}

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return move(from, bytes, peer, tag);
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return offer(into, bytes, peer, tag);
    }
};

static_assert(Transport<UcxPut>);

}  // namespace lapwing
