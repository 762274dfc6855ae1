#include "lapwing/plan/contest.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "support/machine.hpp"

using lapwing::Contest;
using lapwing::Finalist;
using lapwing::FinalLimits;
using lapwing::Messages;
using lapwing::Nic;
using lapwing::Pattern;
using lapwing::PeerOrder;
using lapwing::Plan;

namespace {

constexpr std::uint64_t each_gets = 64000;

/// Sixteen into one.
Plan congested() {
    Plan plan;
    plan.workload = lapwing::complete({.volume = each_gets,
                                       .compute = 1e-3,
                                       .grain = 8,
                                       .pattern = Pattern::congested,
                                       .ranks = 17});
    plan.messages = Messages::uniform(each_gets, each_gets, 8);
    return plan;
}

FinalLimits limits() { return {.peers = 1, .largest = each_gets, .deepest = 64}; }

Finalist in_parts(std::uint64_t count, int window) {
    return {Messages::uniform(each_gets, each_gets / count, 8), window};
}

}  // namespace

TEST_CASE("a contest plays each finalist once and keeps the fastest", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const Plan plan = congested();
    Contest contest(profile, plan, limits(), {.workload = plan.workload}, 1e5);
    CHECK_FALSE(contest.any());
    CHECK(contest.play(in_parts(1, 1)));
    CHECK_FALSE(contest.play(in_parts(1, 1)));
    CHECK(contest.play(in_parts(4, 2)));
    CHECK(contest.best() == in_parts(4, 2));
    CHECK_FALSE(contest.play(in_parts(2, 2)));
    Plan four = plan;
    four.messages = in_parts(4, 2).messages;
    four.window = 2;
    CHECK(contest.seconds() == lapwing::Rehearsal(profile).play(four).seconds);
    const auto ranking = contest.ranking();
    REQUIRE(ranking.size() == 3);
    CHECK(ranking.front() == contest.best());
    CHECK(contest.seconds_of(ranking[1]) <= contest.seconds_of(ranking[2]));
    CHECK(std::isinf(contest.seconds_of(in_parts(8, 2))));
}

TEST_CASE("a contest ends when its effort is spent", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.nic = Nic::sharing;
    const Plan plan = congested();
    Contest short_one(profile, plan, limits(), {.workload = plan.workload}, 10);
    CHECK_FALSE(short_one.play(in_parts(1, 1)));
    CHECK_FALSE(short_one.any());

    Contest contest(profile, plan, limits(), {.workload = plan.workload}, 2000);
    CHECK(contest.play(in_parts(2, 2), 1));
    // Of how much more than estimated it took those that come next are told.
    CHECK(contest.pace() > 0);
    CHECK(contest.pace() != 1);
    contest.leave(2000);
    CHECK_FALSE(contest.play(in_parts(4, 2), 1));
}
