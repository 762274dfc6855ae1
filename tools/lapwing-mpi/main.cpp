// The native program, which does all that needs MPI. The `lapwing` command launches it and shows
// its results.

#include <mpi.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/calibrate.hpp"
#include "support/command_line.hpp"
#ifdef LAPWING_BZIP2
#include "commands/compress.hpp"
#endif
#include "commands/doctor.hpp"
#ifdef LAPWING_FFT
#include "commands/fft.hpp"
#include "commands/ft.hpp"
#endif
#include "commands/nas.hpp"
#include "commands/sweep.hpp"
#ifdef LAPWING_CGAL
#include "commands/triangulation.hpp"
#endif
#include "commands/validate.hpp"
#include "lapwing/transport/program.hpp"

namespace {

int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

/// Throws `std::runtime_error` for a command that this build is without.
void require_built(std::string_view command) {
    const std::vector<std::pair<std::string_view, std::string>> left_out{
#ifndef LAPWING_BZIP2
        {"compress", "bzip2"},
#endif
#ifndef LAPWING_FFT
        {"fft", "FFTW"},
        {"ft", "FFTW"},
#endif
#ifndef LAPWING_CGAL
        {"triangulation", "CGAL"},
#endif
    };
    for (const auto& [name, library] : left_out)
        if (name == command)
            throw std::runtime_error("this build of Lapwing has no " + library +
                                     ", which this command needs");
}

/// Runs the command that was asked for. One rank reports a mistake in the command line; the status
/// is then 2.
int run(int argc, char** argv) {
    lapwing::tools::CommandLine line("What of Lapwing needs MPI; started by the `lapwing` command.",
                                     "lapwing-mpi");
    CLI::App& app = line.app();
    lapwing::tools::CalibrateCommand calibrate(app);
    lapwing::tools::SweepCommand sweep(app);
    lapwing::tools::DoctorCommand doctor(app);
    lapwing::tools::ValidateCommand validate(app);
    std::vector<std::unique_ptr<lapwing::tools::NasCommand>> benchmarks;
    benchmarks.reserve(lapwing::nas::benchmarks.size());
    for (const auto& benchmark : lapwing::nas::benchmarks)
        benchmarks.push_back(std::make_unique<lapwing::tools::NasCommand>(app, benchmark));
#ifdef LAPWING_BZIP2
    lapwing::tools::CompressCommand compress(app);
#endif
#ifdef LAPWING_FFT
    lapwing::tools::FftCommand fft(app);
    lapwing::tools::FtCommand ft(app);
#endif
#ifdef LAPWING_CGAL
    lapwing::tools::TriangulationCommand triangulation(app);
#endif
    if (argc > 1) require_built(argv[1]);
    if (const auto status = line.parse(argc, argv, world_rank() == 0)) return *status;
#ifdef LAPWING_BZIP2
    if (compress.chosen()) {
        compress.run();
        return 0;
    }
#endif
#ifdef LAPWING_FFT
    if (fft.chosen()) {
        fft.run();
        return 0;
    }
    if (ft.chosen()) {
        ft.run();
        return 0;
    }
#endif
    for (const auto& benchmark : benchmarks) {
        if (!benchmark->chosen()) continue;
        benchmark->run();
        return 0;
    }
#ifdef LAPWING_CGAL
    if (triangulation.chosen()) {
        triangulation.run();
        return 0;
    }
#endif
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks < 2) throw std::runtime_error("needs 2 ranks, was started with 1");
    if (calibrate.chosen()) calibrate.run();
    if (sweep.chosen()) sweep.run();
    if (doctor.chosen()) doctor.run();
    if (validate.chosen()) validate.run();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("lapwing-mpi", argc, argv, [&] { return run(argc, argv); });
}
