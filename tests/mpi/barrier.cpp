// A barrier: nobody leaves before all have come.
#include "lapwing/transport/mpi/barrier.hpp"

#include <mpi.h>

#include <cstdint>

#include "../support/check.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/node_counter.hpp"

namespace {

/// All ranks count up when they come, and look at the count when they leave.
void meet(std::uint64_t times) {
    const lapwing::Communicator world;
    lapwing::NodeCounter counter(world);
    const std::uint64_t ranks = counter.ranks().size();
    lapwing::Barrier barrier(world);
    barrier.wait();  // of none
    for (std::uint64_t i = 0; i < times; ++i) {
        CHECK(counter.next() >= i);
        barrier.begin();
        barrier.wait();
        barrier.wait();  // of none
        CHECK(counter.next() >= ranks * (2 * i + 1));
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    meet(100);
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
