#include "common/random.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace lapwing::nas;

TEST_CASE("Random numbers are those of the benchmark") {
    Random random;
    // 5^13 * 314159265 mod 2^46, over 2^46.
    const double first = random();
    CHECK(first == static_cast<double>(
                       static_cast<std::uint64_t>(static_cast<unsigned __int128>(1'220'703'125) *
                                                  314'159'265 % (std::uint64_t{1} << 46))) *
                       0x1p-46);
    SECTION("and begin anywhere") {
        for (const std::uint64_t skipped : {1, 2, 3, 17, 1000, 99'999}) {
            Random walked;
            for (std::uint64_t i = 0; i < skipped; ++i) walked();
            Random skipping(skipped);
            CHECK(skipping() == walked());
        }
    }
}
