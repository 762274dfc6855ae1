// Rates of kernels: what ran, by its name, on one rank; a rate is an amount over a time.
#include "lapwing/calibrate/parts/kernels.hpp"

#include <mpi.h>

#include <cmath>

#include "../support/check.hpp"
#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        const bool first = transport.rank() == 0;
        lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
        lapwing::Profile profile;
        profile.loggp.G = 1;
        lapwing::NoiseCounts noise;
        std::vector<lapwing::Kernel> kernels;
        lapwing::MemoryKernels memory;
        int runs = 0;
        const auto pause = [&] {
            lapwing::wait_until(lapwing::now() + 1e-3);
            ++runs;
        };
        if (first) {
            memory.add_to(kernels);
            kernels.push_back({"pause", 1, pause});
            kernels.push_back({"two pauses", 2, [&] {
                                   pause();
                                   pause();
                               }});
        }
        lapwing::EnvironmentMonitor environment(pair);
        measure_kernels({pair, environment, noise, {.accuracy = 1, .budget = 10, .least = 3}, {}},
                        kernels, profile);
        validate(profile);
        CHECK(profile.kernels.size() == (first ? 4 : 0));
        CHECK((runs >= 9) == first);
        if (first) {
            CHECK(profile.kernels[0].first == "add");
            CHECK(profile.kernels[1].first == "copy");
            CHECK(profile.kernels[2].first == "pause");
            // No faster than it can be, at the fastest clock.
            const double fastest = 1000 / environment.clock().slowest();
            CHECK(profile.kernels[2].second <= fastest * (1 + 1e-6));
            CHECK(profile.kernels[3].second <= fastest * (1 + 1e-6));
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
