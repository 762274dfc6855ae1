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
        // The paper's discrete search may answer the same whatever the estimate.
        if (method == Method::lapwing) CHECK(estimate.changes);
        if (estimate.costs) CHECK(*estimate.costs >= estimate.changes.value());
        CHECK(estimate.costs.has_value() == (estimate.worst > 0.01));
    }
    CHECK(found.misdiagnosed >= 0);
    // Equal messages are among what ours is compared with.
    if (method == Method::lapwing) CHECK(found.model <= 0.005);
}

TEST_CASE("an all-to-all is judged by the engine that chose its plan", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto found = lapwing::sensitivity(profile, {.volume = 1 << 15,
                                                      .compute = 2e-5,
                                                      .grain = 8,
                                                      .pattern = lapwing::Pattern::alltoall,
                                                      .ranks = 3});
    // No equal messages are better, but where the search ended before them.
    CHECK(found.model <= 0.01);
    for (const auto& estimate : {found.over, found.under}) {
        if (estimate.costs) CHECK(*estimate.costs >= estimate.changes.value());
        CHECK(estimate.costs.has_value() == (estimate.worst > 0.01));
    }
}

TEST_CASE("without computation there is nothing to estimate", "[plan]") {
    const auto found = lapwing::sensitivity(lapwing::test::infiniband(), {.volume = 8192});
    CHECK_FALSE(found.over.changes);
    CHECK_FALSE(found.under.costs);
    CHECK(found.misdiagnosed == 0);
}
