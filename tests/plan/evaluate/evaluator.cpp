#include "lapwing/plan/evaluate/evaluator.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Evaluator;
using lapwing::MessageTransport;
using lapwing::Pattern;
using lapwing::Plan;
using lapwing::Workload;

TEST_CASE("plans are judged by what chose them", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto pattern = GENERATE(Pattern::stream, Pattern::multi, Pattern::congested,
                                  Pattern::alltoall, Pattern::collective, Pattern::buckets);
    const auto direction = GENERATE(Direction::fetch, Direction::produce);
    const Plan plan = lapwing::plan(profile, {.volume = 1 << 18,
                                              .compute = 1e-3,
                                              .grain = 8,
                                              .pattern = pattern,
                                              .direction = direction,
                                              .ranks = pattern == Pattern::stream ? 2U : 5U});
    const auto costs = workload_costs(profile, plan.workload, MessageTransport::two_sided);
    const Evaluator evaluator(costs.computing, 1e4);
    const bool played = evaluator.uses_engine(plan);
    CHECK(played == (pattern != Pattern::stream));
    CHECK(evaluator.seconds(plan, played) == Approx(plan.predicted).epsilon(1e-6));
    // Too long for the engine: the rank that stands for all is asked.
    CHECK_FALSE(Evaluator(costs.computing, 0).uses_engine(plan));
}

TEST_CASE("the plan for another computation is judged by the true one", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    Workload workload{
        .volume = 1 << 18, .compute = 1e-4, .grain = 8, .pattern = Pattern::alltoall, .ranks = 4};
    const Plan plan = lapwing::plan(profile, workload);
    workload = plan.workload;
    workload.compute = 3e-3;
    const auto costs = workload_costs(profile, workload, MessageTransport::two_sided);
    const Evaluator evaluator(costs.computing, 1e4);
    REQUIRE(evaluator.uses_engine(plan));
    CHECK(evaluator.seconds(plan, true) > 3e-3);
}

TEST_CASE("a stream whose messages are not on a straight line is the engine's", "[plan]") {
    auto profile = lapwing::test::infiniband();
    const Workload workload{.volume = 16384, .compute = 4e-5, .grain = 8};
    CHECK(lapwing::plan(profile, workload).messages.count() > 1);
    // The longest message is on its way for a shorter time than its half.
    const std::vector<std::uint64_t> sizes{4096, 8192, 16384};
    profile.bandwidth = {.sizes = sizes,
                         .unidirectional = {4096 / 24e-6, 8192 / 60e-6, 16384 / 70e-6},
                         .bidirectional = {4096 / 24e-6, 8192 / 60e-6, 16384 / 70e-6}};
    profile.latency = {.sizes = sizes,
                       .half_round_trip = {60e-6, 95e-6, 80e-6},
                       .bandwidth = profile.bandwidth.unidirectional};
    const Plan plan = lapwing::plan(profile, workload);
    CHECK(plan.messages.count() == 1);
    CHECK(plan.predicted == Approx(80e-6 + 40e-6).epsilon(1e-6));
    const auto costs = workload_costs(profile, plan.workload, MessageTransport::two_sided);
    CHECK(Evaluator(costs.computing, 1e4).uses_engine(plan));
}
