#include "lapwing/fft/distribution/grid.hpp"

#include <catch2/catch.hpp>

#include "lapwing/fft/distribution/block_distribution.hpp"

using namespace lapwing::fft;

TEST_CASE("A grid is chosen so that every rank has elements if possible") {
    const auto chosen = [](const Size& size, int ranks) {
        const Grid grid = choose_grid(size, ranks);
        return std::pair(grid.rows, grid.columns);
    };
    CHECK(chosen({64, 64, 64}, 16) == std::pair(4, 4));
    CHECK(chosen({64, 64, 64}, 1) == std::pair(1, 1));
    CHECK(chosen({8, 8, 1000}, 64) == std::pair(8, 8));
    CHECK(chosen({7, 7, 7}, 7) == std::pair(7, 1));
    const Grid automatic = grid_of({.decomposition = Decomposition::automatic}, {8, 8, 8}, 8);
    CHECK(automatic.columns == 1);
    CHECK(grid_of({.decomposition = Decomposition::automatic}, {8, 8, 8}, 16).columns > 1);
    for (const int ranks : {1, 6, 12, 31})
        for (int rank = 0; rank < ranks; ++rank) {
            const Grid grid = choose_grid({20, 30, 40}, ranks);
            CHECK(grid.ranks() == ranks);
            CHECK(grid.row_of(rank).rank(grid.column(rank)) == rank);
            CHECK(grid.column_of(rank).rank(grid.row(rank)) == rank);
        }
}
