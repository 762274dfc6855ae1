// A common start by the clock: what is timed is as long as the slowest rank, and everyone hears it.
#include "lapwing/calibrate/timed_start.hpp"

#include <mpi.h>

#include <cmath>

#include "../support/check.hpp"
#include "lapwing/compute/charge.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    {
        lapwing::TimedStart start(MPI_COMM_WORLD);
        CHECK(start.latest(rank) == size - 1);
        CHECK(start.latest(-rank) == 0);

        // The later the rank, the longer it takes: from 1 ms on.
        const auto longest = static_cast<double>(size) * 1e-3;
        int timed = 0;
        for (int i = 0; i < 20; ++i) {
            double begin = 0;
            const auto seconds = start.time([&] {
                begin = lapwing::now();
                lapwing::wait_until(begin + (rank + 1) * 1e-3);
            });
            CHECK((start.latest(seconds ? 1 : 0) == 1) == seconds.has_value());
            if (!seconds) continue;
            ++timed;
            CHECK(start.latest(*seconds) == *seconds);
            CHECK(*seconds > longest * 0.999);
            if (lapwing::simulated_time) CHECK(std::abs(*seconds - longest) < 1e-9);
        }
        // It waits longer after it was too late, up to a second.
        CHECK(timed > 0);
        if (lapwing::simulated_time) CHECK(timed == 20);
    }
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
