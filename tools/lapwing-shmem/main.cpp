// The program that does all that needs OpenSHMEM. The `lapwing` command launches it, beside the
// native MPI program.

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "calibrate.hpp"
#include "commands/doctor.hpp"
#ifdef LAPWING_FFT
#include "commands/fft.hpp"
#include "commands/ft.hpp"
#endif
#include "commands/sweep.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/shmem/session.hpp"
#include "support/command_line.hpp"

namespace {

/// Runs the command that was asked for. One rank reports a mistake in the command line; the status
/// is then 2.
int run(int argc, char** argv) {
    lapwing::tools::CommandLine line(
        "What of Lapwing needs OpenSHMEM; started by the `lapwing` command.", "lapwing-shmem");
    lapwing::tools::ShmemCalibrateCommand calibrate(line.app());
    lapwing::tools::DoctorCommand doctor(line.app());
    lapwing::tools::SweepCommand sweep(line.app());
#ifdef LAPWING_FFT
    lapwing::tools::FftCommand fft(line.app());
    lapwing::tools::FtCommand ft(line.app());
#endif
    if (const auto status = line.parse(argc, argv, shmem_my_pe() == 0)) return *status;
    if (shmem_n_pes() < 2) throw std::runtime_error("needs 2 ranks, was started with 1");
    if (calibrate.chosen()) calibrate.run();
    if (doctor.chosen()) doctor.run();
    if (sweep.chosen()) sweep.run();
#ifdef LAPWING_FFT
    if (fft.chosen()) fft.run();
    if (ft.chosen()) ft.run();
#endif
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const lapwing::ShmemSession session(argc, argv);
    try {
        return run(argc, argv);
    } catch (...) {
        // A rank that fails ends the others, which would wait for it for ever.
        std::fprintf(stderr, "lapwing-shmem: rank %d: %s\n", shmem_my_pe(),
                     lapwing::failure::describe().c_str());
        std::fflush(stderr);
        // A launcher that ends all ranks loses what it has not read from them yet.
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return 1;
}
