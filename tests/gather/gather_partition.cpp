#include "lapwing/gather/gather_partition.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "support/random.hpp"

using lapwing::test::Random;

TEST_CASE("every piece is assigned once, in order, and to all alike", "[partition]") {
    Random random(21);
    for (int trial = 0; trial < 300; ++trial) {
        const int ranks = static_cast<int>(random.integer(1, 9));
        const double root_share = random.pick({1.0, 0.0, 0.5, 0.93});
        const std::uint64_t pieces = random.integer(0, 500);
        lapwing::GatherPartition partition(ranks, root_share);
        std::uint64_t next = 0;
        std::uint64_t rounds = 0;
        std::uint64_t root = 0;
        while (partition.assigned() < pieces) {
            const std::uint64_t tile = random.integer(1, 7);
            const std::uint64_t available =
                std::min(pieces - partition.assigned(), partition.round_size(tile));
            REQUIRE(available > 0);
            const bool whole = available == partition.round_size(tile);
            for (int rank = 0; rank < ranks; ++rank) {
                const auto part = partition.block_of(tile, available, rank);
                CHECK(part.first == next);
                CHECK(part.count <= tile);
                if (whole && rank > 0) CHECK(part.count == tile);
                if (whole && rank == 0) root += part.count;
                next += part.count;
            }
            partition.advance(tile, available);
            CHECK(partition.assigned() == next);
            rounds += whole ? tile : 0;
        }
        CHECK(next == pieces);
        const double due = (ranks == 1 ? 1 : root_share) * static_cast<double>(rounds);
        CHECK(std::abs(static_cast<double>(root) - due) <= 1);
    }
}
