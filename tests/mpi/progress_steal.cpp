// What messages take of a computation besides their calls: in simulated time, nothing.
#include "lapwing/calibrate/benchmarks/progress_steal.hpp"

#include <mpi.h>

#include <cmath>

#include "../support/check.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        const bool first = transport.rank() == 0;
        const int peer = 1 - transport.rank();
        lapwing::TwoSidedPair pair(transport, first, peer,
                                   lapwing::clock_offset(MPI_COMM_WORLD, first, peer));
        lapwing::Buffers buffers(1 << 20);
        lapwing::Computation work(200e-6, lapwing::VectorAdd::measure_pass());
        constexpr std::uint64_t size = 100000;  // of which ten and a half have room
        for (const auto direction :
             {lapwing::TrafficDirection::sending, lapwing::TrafficDirection::receiving,
              lapwing::TrafficDirection::both}) {
            for (const int window : {1, 3}) {
                const double seconds = lapwing::progress_steal_per_byte(
                    pair, buffers, direction,
                    {.size = size, .count = 13, .window = window, .polled = true}, work);
                CHECK(std::isfinite(seconds));
                if (lapwing::simulated_time) CHECK(std::abs(seconds) < 1e-15);
            }
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
