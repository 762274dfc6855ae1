#include "lapwing/plan/sensitivity.hpp"

#include <catch2/catch.hpp>

#include "support/machine.hpp"

using lapwing::Method;

TEST_CASE("a wrong estimate changes the plan before it costs", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto method = GENERATE(Method::lapwing, Method::paper);
    const auto found =
        lapwing::sensitivity(profile, {.volume = 1 << 20, .compute = 0.6e-3, .grain = 8}, method);
    for (const auto& estimate : {found.over, found.under}) {
        REQUIRE(estimate.changes);
        if (estimate.costs) CHECK(*estimate.costs >= *estimate.changes);
        CHECK(estimate.costs.has_value() == (estimate.worst > 0.01));
    }
    CHECK(found.misdiagnosed >= 0);
    // Equal messages are among what ours is compared with.
    if (method == Method::lapwing) CHECK(found.model <= 0.005);
}

TEST_CASE("without computation there is nothing to estimate", "[plan]") {
    const auto found = lapwing::sensitivity(lapwing::test::infiniband(), {.volume = 8192});
    CHECK_FALSE(found.over.changes);
    CHECK_FALSE(found.under.costs);
    CHECK(found.misdiagnosed == 0);
}
