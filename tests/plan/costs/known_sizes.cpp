#include "lapwing/plan/costs/known_sizes.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "support/machine.hpp"

TEST_CASE("between measured sizes costs are a straight line, or they are not", "[plan]") {
    auto profile = lapwing::test::infiniband();
    CHECK(lapwing::is_piecewise_linear(profile));
    auto& table = profile.bandwidth;
    table.sizes = {64, 4096, 8192, 16384, 32768};
    // The shortest is paced by the processors, and tells nothing of the wire.
    table.unidirectional = {1e6, 750e6, 750e6, 750e6, 750e6};
    table.bidirectional = table.unidirectional;
    CHECK(lapwing::is_piecewise_linear(profile));
    table.unidirectional[3] = 400e6;
    CHECK_FALSE(lapwing::is_piecewise_linear(profile));
    CHECK_FALSE(lapwing::is_piecewise_linear(profile, 16384));
    CHECK(lapwing::is_piecewise_linear(profile, 8191));
}

TEST_CASE("the largest measured sizes, in whole grains", "[plan]") {
    using Sizes = std::vector<std::uint64_t>;
    const Sizes measured{4, 64, 1410, 1411, 4096, 8192};
    CHECK(lapwing::measured_sizes({}, 5000, 8, 4).empty());
    CHECK(lapwing::measured_sizes(measured, 8192, 8, 2) == Sizes{8192, 4096});
    CHECK(lapwing::measured_sizes(measured, 8191, 8, 9) == Sizes{4096, 1408, 64});
    CHECK(lapwing::measured_sizes(measured, 60, 1, 9) == Sizes{4});
}
