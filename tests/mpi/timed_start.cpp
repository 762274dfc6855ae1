// A common start by the clock: what is timed is as long as the slowest rank, and everyone hears it.
#include "lapwing/calibrate/ranks/timed_start.hpp"

#include <mpi.h>

#include <cmath>

#include "../support/check.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

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
        for (int i = 0; i < 20; ++i) {
            const double seconds = start.time([&] {
                const double begin = lapwing::now();
                lapwing::wait_until(begin + (rank + 1) * 1e-3);
            });
            CHECK(start.latest(seconds) == seconds);
            CHECK(seconds > longest * 0.999);
            if (lapwing::simulated_time) CHECK(std::abs(seconds - longest) < 1e-9);
        }
        // What warms up comes before each start, and is not timed.
        int warm_ups = 0;
        const double seconds = start.time([] {},
                                          [&] {
                                              ++warm_ups;
                                              lapwing::wait_until(lapwing::now() + longest);
                                          });
        CHECK(warm_ups >= 1);
        if (lapwing::simulated_time) CHECK(warm_ups == 1 && seconds < longest / 2);
    }
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
