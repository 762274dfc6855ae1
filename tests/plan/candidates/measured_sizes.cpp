#include "lapwing/plan/candidates/measured_sizes.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

TEST_CASE("the largest measured sizes, in whole grains", "[plan]") {
    using Sizes = std::vector<std::uint64_t>;
    const Sizes measured{4, 64, 1410, 1411, 4096, 8192};
    CHECK(lapwing::measured_sizes({}, 5000, 8, 4).empty());
    CHECK(lapwing::measured_sizes(measured, 8192, 8, 2) == Sizes{8192, 4096});
    CHECK(lapwing::measured_sizes(measured, 8191, 8, 9) == Sizes{4096, 1408, 64});
    CHECK(lapwing::measured_sizes(measured, 60, 1, 9) == Sizes{4});
}
