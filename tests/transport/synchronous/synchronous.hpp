#pragma once

#include <mpi.h>

#include <cstddef>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// `MPI_Issend` and `MPI_Irecv`: no send is complete before its receive has begun.
class Synchronous {
  public:
    using Request = MpiRequest;

    explicit Synchronous(MPI_Comm original = MPI_COMM_WORLD) : communicator_(original) {}

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Issend(from, data.count(), data.type(), peer, tag, communicator_.get(), &handle),
            "MPI_Issend", peer);
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

  private:
    Communicator communicator_;
};

static_assert(Transport<Synchronous>);

}  // namespace lapwing
