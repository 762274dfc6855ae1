#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/ucx/messages.hpp"

namespace lapwing {

/// Messages by `ucp_get_nbx`. Sent data lies in memory of the transport, received data may go
/// anywhere. `send` offers its memory, and is complete when the receiver's flag says that it has
/// been read; `receive` gets as soon as it has the offer.
class UcxGet : public UcxMessages {
  public:
    /// Collective over `original`; `bytes` of memory to send from.
    explicit UcxGet(MPI_Comm original, std::size_t bytes)
        : UcxMessages(original, bytes, UcxMove::get) {}

    [[nodiscard]] Stream outgoing(std::span<const std::byte> data, int peer, StreamData when) {
        return open_as_owner(data, peer, when == StreamData::announced ? 0 : UcxOffer::everything);
    }
    [[nodiscard]] Stream incoming(std::span<std::byte> data, int peer) {
        return open_as_mover(data, peer);
    }
    /// In a stream the data is in use until that is closed.
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return message(true, from, bytes, peer, tag);
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return message(false, into, bytes, peer, tag);
    }
};

static_assert(OffersStreams<UcxGet>);

}  // namespace lapwing
