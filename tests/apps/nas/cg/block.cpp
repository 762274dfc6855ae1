#include "../../../../apps/nas/cg/block.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

using namespace lapwing::nas::cg;

TEST_CASE("Ranks of NAS CG form a grid, if they are a power of two") {
    const Problem problem = find_problem("S");
    for (const int ranks : {0, 3, 6, 12})
        CHECK_THROWS_AS(RankGrid(problem, 0, ranks), std::invalid_argument);
    CHECK_THROWS_AS(RankGrid(problem, 0, 2048), std::invalid_argument);
    const RankGrid grid(problem, 6, 8);
    CHECK(grid.rows() == 2);
    CHECK(grid.columns() == 4);
    CHECK(grid.row_slices().back().rank == 6);
    CHECK(grid.column_slices().front().rank == 6);
    CHECK(grid.right(1) == 7);
    CHECK(grid.right(-3) == 7);
    CHECK(grid.below(1) == 2);
}

TEST_CASE("The blocks of all ranks make NAS CG's matrix") {
    const Problem problem = find_problem("S");
    RandomMatrix matrix(problem);
    std::vector<std::uint32_t> all(problem.rows);
    std::iota(all.begin(), all.end(), 0U);
    std::vector<double> vector;
    for (std::size_t i = 0; i < problem.rows; ++i)
        vector.push_back(std::sin(static_cast<double>(i)));
    std::vector<double> expected;
    std::vector<RandomMatrix::Entry> entries;
    std::size_t nonzeros = 0;
    for (std::size_t row = 0; row < problem.rows; ++row) {
        matrix.row(row, all, entries);
        nonzeros += entries.size();
        double sum = 0;
        for (const auto& [column, value] : entries) sum += value * vector[column];
        expected.push_back(sum);
    }
    const int ranks = GENERATE(1, 2, 4, 8);
    const bool early = GENERATE(false, true);
    std::vector<double> sums(problem.rows);
    std::size_t work = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const RankGrid grid(problem, rank, ranks);
        std::vector<double> gathered;
        for (const Slice& slice : grid.column_slices())
            for (std::size_t i = 0; i < slice.place.length(); ++i)
                gathered.push_back(vector[grid.elements(slice.rank).begin + i]);
        std::vector<Range> groups;
        if (early) groups = {{0, 10}, {10, grid.own().length()}};
        const Block block(problem, grid, groups);
        const Range rows{0, grid.row_slices().back().place.end};
        std::vector<double> mine(rows.end);
        for (std::size_t group = 0; group < groups.size(); ++group)
            block.add_group(group, gathered.data(), mine.data());
        block.add_rows(rows.part(0, 2), gathered.data(), mine.data());
        block.add_rows(rows.part(1, 2), gathered.data(), mine.data());
        if (!early) work += block.work(rows) - work_of_rows(0, rows.length());
        for (const Slice& slice : grid.row_slices())
            for (std::size_t i = 0; i < slice.place.length(); ++i)
                sums[grid.elements(slice.rank).begin + i] += mine[slice.place.begin + i];
    }
    if (!early) CHECK(work == nonzeros);
    for (std::size_t row = 0; row < problem.rows; ++row)
        REQUIRE(sums[row] == Approx(expected[row]).margin(1e-10));
}
