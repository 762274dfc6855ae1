#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/ucx/messages.hpp"

namespace lapwing {

/// Messages by `ucp_put_nbx`. Received data goes into memory of the transport, sent data may lie
/// anywhere. `receive` offers its memory; `send` puts as soon as it has the offer, and raises a
/// flag behind the data.
class UcxPut : public UcxMessages {
  public:
    /// Collective over `original`; `bytes` of memory to receive into.
    explicit UcxPut(MPI_Comm original, std::size_t bytes)
        : UcxMessages(original, bytes, UcxMove::put) {}

    [[nodiscard]] Stream outgoing(std::span<const std::byte> data, int peer, StreamData /*when*/) {
        return open_as_mover(data, peer);
    }
    [[nodiscard]] Stream incoming(std::span<std::byte> data, int peer) {
        return open_as_owner(data, peer, 0);
    }
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return message(false, from, bytes, peer, tag);
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return message(true, into, bytes, peer, tag);
    }
};

static_assert(OffersStreams<UcxPut>);

}  // namespace lapwing
