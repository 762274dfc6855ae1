#include "lapwing/profile/linearity.hpp"

#include <catch2/catch.hpp>

#include "support/machine.hpp"

TEST_CASE("between measured sizes costs are a straight line, or they are not", "[profile]") {
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
