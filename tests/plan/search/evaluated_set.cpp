#include "lapwing/plan/search/evaluated_set.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "support/machine.hpp"

using lapwing::Candidate;
using lapwing::CandidateLimits;
using lapwing::Engine;
using lapwing::EvaluatedSet;
using lapwing::Messages;
using lapwing::Nic;
using lapwing::Pattern;
using lapwing::Workload;

namespace {

constexpr std::uint64_t each_gets = 64000;

/// Sixteen into one.
Workload congested() {
    return lapwing::complete({.volume = each_gets,
                              .compute = 1e-3,
                              .grain = 8,
                              .pattern = Pattern::congested,
                              .ranks = 17});
}

CandidateLimits limits() { return {.peers = 1, .largest = each_gets, .max_in_flight = 64}; }

Candidate in_parts(std::uint64_t count, int window) {
    return {.messages = Messages::uniform(each_gets, each_gets / count, 8), .window = window};
}

}  // namespace

TEST_CASE("a set evaluates each candidate once and keeps the fastest", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const Workload workload = congested();
    const Engine engine(profile, profile.topology);
    EvaluatedSet set(engine, limits(), {.workload = workload}, 1e5);
    CHECK_FALSE(set.any());
    CHECK(set.evaluate(in_parts(1, 1)));
    CHECK_FALSE(set.evaluate(in_parts(1, 1)));
    CHECK(set.evaluate(in_parts(4, 2)));
    CHECK(set.best() == in_parts(4, 2));
    CHECK_FALSE(set.evaluate(in_parts(2, 2)));
    CHECK(set.seconds() == engine.run(workload, in_parts(4, 2)).seconds);
    const auto ranking = set.fastest(9);
    REQUIRE(ranking.size() == 3);
    CHECK(ranking.front() == set.best());
    CHECK(set.seconds_of(ranking[1]) <= set.seconds_of(ranking[2]));
    CHECK(std::isinf(set.seconds_of(in_parts(8, 2))));
}

TEST_CASE("a set ends when its budget is spent", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.nic = Nic::sharing;
    const Workload workload = congested();
    const Engine engine(profile, profile.topology);
    EvaluatedSet short_budget(engine, limits(), {.workload = workload}, 10);
    CHECK_FALSE(short_budget.evaluate(in_parts(1, 1)));
    CHECK_FALSE(short_budget.any());

    EvaluatedSet set(engine, limits(), {.workload = workload}, 2000);
    CHECK(set.evaluate(in_parts(2, 2), 1));
    // Of how much more than estimated it took those that come next are told.
    CHECK(set.cost_ratio() > 0);
    CHECK(set.cost_ratio() != 1);
    set.leave(2000);
    CHECK_FALSE(set.evaluate(in_parts(4, 2), 1));
}
