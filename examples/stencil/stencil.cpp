// Heat spreads over a plate in slabs of rows. The first and the last row of a slab travel to the
// neighbours while the rows between are computed.
//
//   example-stencil PROFILE
#include <lapwing/lapwing.hpp>

int main(int argc, char** argv) {
    return lapwing::program("example-stencil", argc, argv, [&] {
        constexpr std::size_t rows = 500, columns = 4096;  // of a slab, which has a frame
        lapwing::TwoSided ranks;
        const int up = ranks.rank() - 1;
        const int down = ranks.rank() + 1 < ranks.size() ? ranks.rank() + 1 : -1;
        std::vector<double> now((rows + 2) * columns, 0.0);
        if (up < 0) std::fill_n(now.begin(), columns, 1.0);  // the hot side
        auto next = now;
        const auto sides = [&](std::vector<double>& grid) {
            const auto row = [&](std::size_t i) { return std::span(&grid[i * columns], columns); };
            return std::vector<lapwing::Side<double>>{{up, row(1), row(0)},
                                                      {down, row(rows), row(rows + 1)}};
        };
        const auto compute = [&](std::size_t row) {
            for (std::size_t i = row * columns + 1; i < (row + 1) * columns - 1; ++i)
                next[i] = 0.25 * (now[i - columns] + now[i + columns] + now[i - 1] + now[i + 1]);
            lapwing::poll();
        };
        const auto machine = lapwing::load_profile(argc > 1 ? argv[1] : "", MPI_COMM_WORLD);
        const auto plan = lapwing::plan(machine, {.volume = 2 * columns * sizeof(double),
                                                  .compute = 2e-3,  // seconds of a step
                                                  .pattern = lapwing::Pattern::halo,
                                                  .dependence = lapwing::Dependence::loose,
                                                  .peers = 2});
        const auto interior = [&] {
            for (std::size_t i = 2; i < rows; ++i) compute(i);
        };
        const auto border = [&] { compute(1), compute(rows); };
        lapwing::Halo halo(ranks, plan, std::array{sides(now), sides(next)});
        for (int step = 0; step < 100; ++step, now.swap(next)) halo.exchange(interior, border);
        if (ranks.rank() == 0) std::printf("beside the hot side: %.6f\n", now[columns * 3 / 2]);
    });
}
