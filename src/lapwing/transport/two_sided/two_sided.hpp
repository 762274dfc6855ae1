#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"
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
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Irecv(into, data.count(), data.type(), peer, tag, communicator_.get(), &handle),
            "MPI_Irecv", peer);
        return {handle, peer};
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }

  private:
    Communicator communicator_;
};

static_assert(Transport<TwoSided>);

}  // namespace lapwing
