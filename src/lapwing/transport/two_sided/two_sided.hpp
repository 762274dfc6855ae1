#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/transport.hpp"
#include "lapwing/transport/two_sided/persistent.hpp"

namespace lapwing {

/// The usual transport: non-blocking two-sided MPI, `MPI_Isend` and `MPI_Irecv`.
class TwoSided {
  public:
    using Request = MpiRequest;
#ifndef LAPWING_SMPI  // SMPI charges nothing for the start of a persistent send
    /// Repeated messages, by `MPI_Start`.
    class Repeated : public Persistent {
      public:
        explicit Repeated(const TwoSided& transport) : Persistent(transport.communicator_.get()) {}
    };
#endif

    explicit TwoSided(MPI_Comm original = MPI_COMM_WORLD) : communicator_(original) {}

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Isend(from, data.count(), data.type(), peer, tag, communicator_.get(), &handle),
            "MPI_Isend", peer);
        return {handle, peer};
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return receive(into, bytes, peer, tag, ExpectedMessage(bytes));
    }
    /// `receive` for a message of `bytes` or fewer.
    Request receive_up_to(void* into, std::size_t bytes, int peer, int tag) {
        return receive(into, bytes, peer, tag, ExpectedMessage());
    }

    /// One side of a stream that comes in, as long as it lives.
    class IncomingStream {
      public:
        explicit IncomingStream(int& open) : open_(&open) { ++open; }
        IncomingStream(IncomingStream&& other) noexcept
            : open_(std::exchange(other.open_, nullptr)) {}
        IncomingStream& operator=(IncomingStream&& other) noexcept {
            std::swap(open_, other.open_);
            return *this;
        }
        IncomingStream(const IncomingStream&) = delete;
        IncomingStream& operator=(const IncomingStream&) = delete;
        ~IncomingStream() {
            if (open_ != nullptr) --*open_;
        }

      private:
        int* open_;
    };
    /// A stream of rank `peer` comes in, until the end of what this returns.
    [[nodiscard]] IncomingStream incoming(int peer) {
        if (incoming_.empty()) incoming_.resize(static_cast<std::size_t>(size()));
        return IncomingStream(incoming_.at(static_cast<std::size_t>(peer)));
    }
    /// The first message of a stream. Its tag, `first_message_tag`, says how the stream is cut:
    /// where rank `peer` sends another stream, the request throws `std::runtime_error`. (Not where
    /// two streams of that rank are open at once: then the tag tells them apart.)
    Request receive_first(void* into, std::size_t bytes, int peer, int tag) {
        if (incoming_.at(static_cast<std::size_t>(peer)) > 1)
            return receive(into, bytes, peer, tag);
        return receive(into, bytes, peer, MPI_ANY_TAG, ExpectedMessage(bytes, tag, message_tag(0)));
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }

  private:
    Request receive(void* into, std::size_t bytes, int peer, int tag,
                    const ExpectedMessage& expected) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Irecv(into, data.count(), data.type(), peer, tag, communicator_.get(), &handle),
            "MPI_Irecv", peer);
        return {handle, peer, expected};
    }

    Communicator communicator_;
    std::vector<int> incoming_;  ///< streams that come in from each rank; empty: none ever did
};

static_assert(Transport<TwoSided>);

}  // namespace lapwing
