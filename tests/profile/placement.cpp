#include "lapwing/profile/placement.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

using Catch::Matchers::Contains;
using lapwing::Placement;

TEST_CASE("a placement is read from text", "[profile][placement]") {
    using Order = Placement::Order;
    CHECK(Placement::from_text("consecutive").order == Order::consecutive);
    CHECK(Placement::from_text("spread").order == Order::spread);
    CHECK(Placement::from_text("round-robin").order == Order::round_robin);
    const auto random = Placement::from_text("random:18446744073709551615");
    CHECK(random.order == Order::random);
    CHECK(random.seed == 18446744073709551615U);
    const auto list = Placement::from_text("7,0,16-18,3-3");
    CHECK(list.order == Order::listed);
    CHECK(list.nodes == std::vector<std::uint32_t>{7, 0, 16, 17, 18, 3});
}

TEST_CASE("what is no placement is refused in one line", "[profile][placement]") {
    for (const char* text :
         {"", "usual", "random", "random:", "random:-1", "random:1x", "round-robin:2", "0,", ",0",
          "0,,1", "1-", "-1", "3-1", "0,1,0", "0-4,4", "0 1", "4294967296", "0-4294967295"})
        CHECK_THROWS_WITH(Placement::from_text(text), Contains("is no placement"));
}
