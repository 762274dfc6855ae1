// Seconds that an iteration of NAS IS takes in some ways, on the slowest rank. By
// bench/integer_sort.py.
//   integer-sort CLASS ITERATIONS all|chain WAY ...
// A way is "blocking", or tiles, ahead and window as in "8,1,2". `chain`: without the computation
// that can hide messages, which is sorting and ranking.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "../../apps/nas/common/over_ranks.hpp"
#include "../../apps/nas/is/benchmark.hpp"
#include "lapwing/compute/clock.hpp"

using namespace lapwing;
using nas::is::Benchmark;

namespace {

nas::Options read(const std::string& way) {
    if (way == "blocking") return {.schedule = nas::Schedule::blocking, .settings = {1, 1, 1}};
    nas::Options options;
    std::istringstream numbers(way);
    for (std::string number; std::getline(numbers, number, ',');)
        options.settings.push_back(std::stoll(number));
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 5) return 2;
    MPI_Init(&argc, &argv);
    {
        const Communicator world(MPI_COMM_WORLD);
        const auto problem = Benchmark::problem(argv[1]);
        const int iterations = std::atoi(argv[2]);
        for (const std::string& way : std::vector<std::string>(argv + 4, argv + argc)) {
            nas::Options options = nas::completed<Benchmark>(read(way));
            if (std::string(argv[3]) == "chain") options.schedule = nas::Schedule::chain;
            TwoSided transport(world.get());
            Trace trace;
            nas::Computation computation(Benchmark::kernels, trace);
            Benchmark::Program<TwoSided, nas::Computation> program(transport, computation, problem,
                                                                   options);
            program.reset();
            program.iterate(0);
            check_mpi(MPI_Barrier(world.get()), "MPI_Barrier");
            const double start = now();
            for (int iteration = 0; iteration < iterations; ++iteration) program.iterate(iteration);
            const double seconds = nas::reduced(now() - start, MPI_MAX, world) / iterations;
            if (world.rank() == 0) std::printf("%s %.9e\n", way.c_str(), seconds);
        }
    }
    MPI_Finalize();
    return 0;
}
