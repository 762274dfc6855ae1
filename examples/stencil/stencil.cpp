// Heat spreads over a plate in slabs of rows. The first and the last row of a slab travel to the
// neighbours while the rows between are computed.
//
//   example-stencil PROFILE
#include <algorithm>
#include <array>
#include <cstdio>
#include <lapwing/lapwing.hpp>
#include <span>
#include <vector>

int main(int argc, char** argv) {
    return lapwing::program("example-stencil", argc, argv, [&] {
        constexpr std::size_t rows = 500, columns = 4096;  // of a rank, inside a frame
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
        const auto compute = [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i <= last; ++i, lapwing::poll())
                for (std::size_t at = i * columns + 1; at < (i + 1) * columns - 1; ++at)
                    next[at] =
                        0.25 * (now[at - columns] + now[at + columns] + now[at - 1] + now[at + 1]);
        };
        const auto machine =
            lapwing::load_profile(argc > 1 ? argv[1] : "machine.json", MPI_COMM_WORLD);
        const auto plan = lapwing::plan(machine, {.volume = 2 * columns * sizeof(double),
                                                  .compute = 2e-3,
                                                  .pattern = lapwing::Pattern::halo,
                                                  .peers = 2});
        lapwing::Halo halo(ranks, plan, std::array{sides(now), sides(next)});
        for (int step = 0; step < 100; ++step, now.swap(next))
            halo.exchange([&] { compute(2, rows - 1); },
                          [&] { compute(1, 1), compute(rows, rows); });
        if (ranks.rank() == 0) std::printf("beside the hot side: %.6f\n", now[columns * 3 / 2]);
    });
}
