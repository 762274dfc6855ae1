// What of Lapwing needs OpenSHMEM. The `lapwing` command launches it, beside the native MPI
// program.

#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <thread>

#include "calibrate.hpp"
#include "lapwing/transport/shmem/session.hpp"
#include "support/command_line.hpp"

namespace {

/// Runs what the command line asks for. A mistake in it is reported by one rank, with status 2.
int run(int argc, char** argv) {
    lapwing::tools::CommandLine line(
        "What of Lapwing needs OpenSHMEM; started by the `lapwing` command.", "lapwing-shmem");
    lapwing::tools::ShmemCalibrateCommand calibrate(line.app());
    if (const auto status = line.parse(argc, argv, shmem_my_pe() == 0)) return *status;
    if (shmem_n_pes() < 2) throw std::runtime_error("needs 2 ranks, was started with 1");
    if (calibrate.chosen()) calibrate.run();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const lapwing::ShmemSession session(argc, argv);
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        // One rank that fails takes the others down: they would wait for it for ever.
        std::fprintf(stderr, "lapwing-shmem: rank %d: %s\n", shmem_my_pe(), error.what());
        std::fflush(stderr);
        // A launcher that is told to end all ranks forgets what it has not read from them.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return 1;
}
