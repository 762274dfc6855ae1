#include "lapwing/fft/distribution/block_distribution.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace lapwing::fft;

TEST_CASE("A block distribution has every index once, and is even") {
    for (const std::size_t length : {1, 2, 7, 16, 100})
        for (const int ranks : {1, 2, 3, 5, 8, 101}) {
            const BlockDistribution blocks(length, ranks);
            std::size_t next = 0;
            std::size_t most = 0;
            for (int rank = 0; rank < ranks; ++rank) {
                CHECK(blocks.first(rank) == next);
                next += blocks.count(rank);
                most = std::max(most, blocks.count(rank));
                CHECK(blocks.count(rank) + 1 >= blocks.most());
            }
            CHECK(next == length);
            CHECK(most == blocks.most());
        }
}
