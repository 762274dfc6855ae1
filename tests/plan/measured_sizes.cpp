#include "lapwing/plan/measured_sizes.hpp"

#include <catch2/catch.hpp>

#include "support/machine.hpp"

TEST_CASE("between measured sizes costs are a straight line, or they are not", "[plan]") {
    auto profile = lapwing::test::infiniband();
    CHECK(lapwing::straight_between_sizes(profile));
    auto& table = profile.bandwidth;
    table.sizes = {64, 4096, 8192, 16384, 32768};
    // The shortest is paced by the processors, and tells nothing of the wire.
    table.unidirectional = {1e6, 750e6, 750e6, 750e6, 750e6};
    table.bidirectional = table.unidirectional;
    CHECK(lapwing::straight_between_sizes(profile));
    table.unidirectional[3] = 400e6;
    CHECK_FALSE(lapwing::straight_between_sizes(profile));
}

TEST_CASE("the measured size that is not above another", "[plan]") {
    auto profile = lapwing::test::infiniband();
    CHECK(lapwing::measured_size(profile, 5000) == 5000);
    profile.bandwidth.sizes = {64, 4096, 8192};
    CHECK(lapwing::measured_size(profile, 8192) == 8192);
    CHECK(lapwing::measured_size(profile, 8191) == 4096);
    CHECK(lapwing::measured_size(profile, 1 << 20) == 8192);
    CHECK(lapwing::measured_size(profile, 8) == 8);
}
