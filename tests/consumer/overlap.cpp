// Rank 1 sends a million numbers; rank 0 adds them up while they arrive.
#include <mpi.h>
#include <lapwing/lapwing.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double sum = 499999500000;  // of 0 ... 999999: what rank 0 has to find
    {
        lapwing::TwoSided transport;
        lapwing::Profile machine;  // or lapwing::load_profile("machine.json")
        machine.loggp = {.L = 1e-6, .o_s = 0.5e-6, .o_r = 0.5e-6, .g = 0.5e-6, .G = 1e-10};
        std::vector<double> data(1000000);
        const lapwing::Plan plan =
            lapwing::plan(machine, {.volume = data.size() * 8, .compute = 1e-3, .grain = 8});
        if (transport.rank() == 1) {
            std::iota(data.begin(), data.end(), 0);
            lapwing::feed(transport, 0, std::span<const double>(data), plan);
        } else if (transport.rank() == 0) {
            const lapwing::Source source{transport, 1, std::span<double>(data)};
            for (const auto piece : lapwing::stream<double>(source, plan))
                sum -= std::accumulate(piece.data.begin(), piece.data.end(), 0.0);
            std::printf("%s\n", sum == 0 ? "right" : "wrong");
        }
        if (transport.rank() != 0) sum = 0;
    }
    MPI_Finalize();
    return sum == 0 ? 0 : 1;
}
