#pragma once

#include <mpi.h>
#include <simgrid/s4u/Host.hpp>

#include <vector>

namespace lapwing::interfaces {

/// A request that somebody else completes: SMPI's request of a message of the rank to itself, which
/// is sent when the operation is complete, and takes no time.
class Completion {
  public:
    /// Of the rank that calls it.
    explicit Completion(MPI_Request& request);
    /// For workers of any rank.
    void complete();

  private:
    /// Those of a rank's messages to itself; one for each request that is under way.
    struct Tags {
        MPI_Comm self = MPI_COMM_NULL;
        std::vector<int> free;
        int next = 0;

        static Tags& of_rank();
        [[nodiscard]] int take();
    };

    simgrid::s4u::Host* host_;
    Tags* tags_ = nullptr;
    int tag_ = 0;
    MPI_Request message_ = MPI_REQUEST_NULL;
};

}  // namespace lapwing::interfaces
