#include "lapwing/profile/wire_scaled.hpp"

#include <catch2/catch.hpp>

#include "support/machine.hpp"

TEST_CASE("a slower wire leaves the processors as they are", "[profile]") {
    const auto machine = lapwing::test::full_profile();
    const auto slower = with_wire_scaled(machine, 3);
    CHECK_NOTHROW(validate(slower));
    CHECK(slower.loggp.L == 3 * machine.loggp.L);
    CHECK(slower.loggp.G == 3 * machine.loggp.G);
    CHECK(slower.loggp.o_s == machine.loggp.o_s);
    CHECK(slower.loggp.o_r == machine.loggp.o_r);
    CHECK(slower.overhead.send == machine.overhead.send);
    CHECK(slower.bandwidth.unidirectional[2] == Approx(machine.bandwidth.unidirectional[2] / 3));
    CHECK(slower.patterns[0].slowest[1][0] == 3 * machine.patterns[0].slowest[1][0]);
    CHECK(slower.pairs[0].loggp.L == machine.pairs[0].loggp.L);
    // Half a round trip of 31 us, 7.1 + 8.3 of which are overheads.
    CHECK(slower.latency->half_round_trip[1] == Approx(15.4e-6 + 3 * 15.6e-6));
    CHECK(with_wire_scaled(machine, 1).loggp.G == machine.loggp.G);
}
