#include "lapwing/plan/plan.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "support/machine.hpp"

using lapwing::Method;
using lapwing::Workload;

TEST_CASE("impossible workloads are refused by name", "[plan]") {
    const auto method = GENERATE(Method::lapwing, Method::paper);
    const auto profile = lapwing::test::infiniband();
    const auto complaint = [&](const Workload& workload) -> std::string {
        try {
            (void)lapwing::plan(profile, workload, method);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "accepted";
    };
    using Catch::Matchers::StartsWith;
    CHECK_THAT(complaint({.volume = 0}), StartsWith("volume"));
    CHECK_THAT(complaint({.volume = (1ULL << 53) + 1}), StartsWith("volume"));
    CHECK_THAT(complaint({.volume = ~0ULL}), StartsWith("volume"));
    CHECK_THAT(complaint({.volume = 8, .grain = 0}), StartsWith("grain"));
    for (const double compute : {-1e-9, std::nan(""), std::numeric_limits<double>::infinity(),
                                 -std::numeric_limits<double>::infinity()})
        CHECK_THAT(complaint({.volume = 8, .compute = compute}), StartsWith("compute"));
    CHECK(complaint({.volume = 8}) == "accepted");
}

TEST_CASE("a profile that is not valid is refused", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.loggp.G = 0;
    CHECK_THROWS_AS(lapwing::plan(profile, {.volume = 8}), std::invalid_argument);
    CHECK_THROWS_AS(lapwing::plan(profile, {.volume = 8}, Method::paper), std::invalid_argument);
}

TEST_CASE("a plan remembers what it is for", "[plan]") {
    const Workload workload{.volume = 4096, .compute = 1e-5, .grain = 16};
    const auto plan = lapwing::plan(lapwing::test::infiniband(), workload);
    CHECK(plan.workload.volume == 4096);
    CHECK(plan.workload.compute == 1e-5);
    CHECK(plan.workload.grain == 16);
    CHECK(lapwing::plan(lapwing::test::infiniband(), workload, Method::paper).method ==
          Method::paper);
}
