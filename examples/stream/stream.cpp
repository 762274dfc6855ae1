// Rank 1 sends a megabyte of numbers; rank 0 adds them up while they arrive.
#include <mpi.h>

#include <cstdio>
#include <iostream>
#include <lapwing/lapwing.hpp>

namespace {

void run(const char* profile) {
    lapwing::TwoSided transport;
    std::vector<double> data(1 << 17, transport.rank() == 1 ? 0.5 : 0.0);

    auto machine = lapwing::load_profile(profile);
    auto plan = lapwing::plan(machine, {.volume = 1 << 20, .compute = 1.4e-3, .grain = 8});

    double sum = 0;
    if (transport.rank() == 1) {
        lapwing::feed(transport, 0, std::span<const double>(data), plan);
    } else if (transport.rank() == 0) {
        const lapwing::Source source{transport, 1, std::span(data)};
        for (auto piece : lapwing::stream<double>(source, plan))
            for (const double x : piece.data) sum += x;
        std::printf("sum %.0f, received in %ld messages, %d in flight\n", sum,
                    static_cast<long>(plan.messages.count()), plan.window);
        std::printf("%.2f ms predicted, %.2f ms without overlap\n", 1e3 * plan.predicted,
                    1e3 * plan.blocking);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    try {
        if (argc != 2) throw std::invalid_argument("usage: example-stream PROFILE");
        run(argv[1]);
    } catch (const std::exception& error) {
        std::cerr << "example-stream: " << error.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
