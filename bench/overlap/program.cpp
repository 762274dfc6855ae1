// Non-blocking collectives of BYTES beside a computation that takes as long:
//   program BYTES ROUNDS
// The share that is hidden can relate to the computation alone, or to the computation as it is
// timed while the messages travel, which the processor time of the system for them prolongs. Prints
// `OPERATION ALONE BESIDE` with both shares, mean of the ranks.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

/// So many passes over a block of the first-level cache.
void compute(std::uint64_t passes) {
    static std::vector<double> block(1024, 1.0);
    for (std::uint64_t pass = 0; pass < passes; ++pass)
        for (double& value : block) value = value * 0.999999 + 1e-6;
}

double seconds_of(std::uint64_t passes) {
    const double begin = MPI_Wtime();
    compute(passes);
    return MPI_Wtime() - begin;
}

struct Times {
    double elapsed = 0;      ///< seconds of an operation and its computation
    double computation = 0;  ///< of them, those of the computation
};

template <class Initiate>
Times run(int rounds, std::uint64_t passes, Initiate&& initiate) {
    Times sum;
    for (int round = 0; round < rounds; ++round) {
        const double begin = MPI_Wtime();
        MPI_Request request = initiate();
        sum.computation += seconds_of(passes);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        sum.elapsed += MPI_Wtime() - begin;
    }
    return {sum.elapsed / rounds, sum.computation / rounds};
}

double hidden(double communication, double computation, double both) {
    return (communication + computation - both) / std::min(communication, computation);
}

template <class Initiate>
void report(const char* name, int rounds, Initiate&& initiate) {
    run(rounds / 4 + 1, 0, initiate);
    double communication = run(rounds, 0, initiate).elapsed;
    MPI_Allreduce(MPI_IN_PLACE, &communication, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    constexpr std::uint64_t sample = 2000;
    seconds_of(sample);
    const auto passes = static_cast<std::uint64_t>(communication / seconds_of(sample) *
                                                   static_cast<double>(sample));
    double alone = 0;
    for (int round = 0; round < rounds; ++round) alone += seconds_of(passes) / rounds;
    const Times both = run(rounds, passes, initiate);
    double shares[] = {hidden(communication, alone, both.elapsed),
                       hidden(communication, both.computation, both.elapsed)};
    MPI_Allreduce(MPI_IN_PLACE, shares, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) std::printf("%s %.4f %.4f\n", name, shares[0] / ranks, shares[1] / ranks);
}

void report_all(int bytes, int rounds) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto all = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks);
    std::vector<std::byte> out(all);
    std::vector<std::byte> in(all);
    report("ialltoall", rounds, [&] {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ialltoall(out.data(), bytes, MPI_BYTE, in.data(), bytes, MPI_BYTE, MPI_COMM_WORLD,
                      &request);
        return request;
    });
    report("ibcast", rounds, [&] {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ibcast(out.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
        return request;
    });
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc == 3) report_all(std::atoi(argv[1]), std::atoi(argv[2]));
    MPI_Finalize();
    return argc == 3 ? 0 : 2;
}
