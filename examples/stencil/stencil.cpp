// Heat spreads over a plate in slabs of rows. The first and the last row of a slab travel to the
// neighbours while the rows between are computed.
//
//   example-stencil PROFILE
#include <lapwing/lapwing.hpp>

int main(int argc, char** argv) {
    return lapwing::program("example-stencil", argc, argv, [&] {
        constexpr std::size_t rows = 500, columns = 4096;  // of a slab, with a row around it
        lapwing::TwoSided ranks;
        std::vector<double> now((rows + 2) * columns, 0.0);
        if (ranks.rank() == 0) std::fill_n(now.begin(), columns, 1.0);  // the hot side
        auto next = now;
        const auto relax = [&](std::size_t first, std::size_t last) {
            for (std::size_t row = first; row < last; ++row, lapwing::poll())
                for (std::size_t i = row * columns + 1; i < (row + 1) * columns - 1; ++i)
                    next[i] = (now[i - columns] + now[i + columns] + now[i - 1] + now[i + 1]) / 4;
        };
        const auto machine = lapwing::load_profile(argc > 1 ? argv[1] : "", MPI_COMM_WORLD);
        const auto plan = lapwing::plan(machine, {.volume = 2 * columns * sizeof(double),
                                                  .compute = 2e-3,  // seconds of a step
                                                  .pattern = lapwing::Pattern::halo,
                                                  .dependence = lapwing::Dependence::loose,
                                                  .peers = 2});
        lapwing::Halo halo(ranks, plan, lapwing::slab_sides<double>({now, next}, columns, ranks));
        for (int step = 0; step < 100; ++step, now.swap(next))
            halo.exchange([&] { relax(2, rows); }, [&] { relax(1, 2), relax(rows, rows + 1); });
        if (ranks.rank() == 0) std::printf("beside the hot side: %.6f\n", now[columns * 3 / 2]);
    });
}
