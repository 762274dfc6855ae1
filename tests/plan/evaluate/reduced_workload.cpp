#include "lapwing/plan/evaluate/reduced_workload.hpp"

#include <catch2/catch.hpp>
#include <optional>

#include "lapwing/plan/evaluate/engine.hpp"
#include "lapwing/plan/names.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Engine;
using lapwing::Messages;
using lapwing::Nic;
using lapwing::Pattern;
using lapwing::PeerOrder;
using lapwing::Plan;
using lapwing::Topology;
using lapwing::Workload;

namespace {

Workload of(Pattern pattern, std::uint64_t ranks) {
    return lapwing::complete({.volume = 240000,
                              .compute = 4e-3,
                              .grain = 8,
                              .pattern = pattern,
                              .direction = Direction::produce,
                              .ranks = ranks});
}

}  // namespace

TEST_CASE("fewer ranks take their share of the time of all", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.nic = Nic::sharing;
    for (const auto pattern :
         {Pattern::congested, Pattern::alltoall, Pattern::collective, Pattern::buckets}) {
        Plan plan;
        plan.workload = of(pattern, 17);
        plan.window = 2;
        plan.order = PeerOrder::interleaved;
        const std::uint64_t own = lapwing::peer_volume(plan.workload);
        plan.messages = Messages::uniform(own, own / 3 / 8 * 8, 8);
        const Engine engine(profile, profile.topology);
        const double all = engine.run(plan.workload, plan).seconds;
        const auto fewer = scale_down(plan.workload, 9);
        INFO(lapwing::name(pattern));
        CHECK(fewer.time_scale == Approx(2));
        Plan few = plan;
        few.workload = fewer.workload;
        few.messages = fewer.candidate(plan).messages;
        CHECK(engine.cost(few.workload, few) < engine.cost(plan.workload, plan) / 2);
        CHECK(fewer.time_scale * engine.run(few.workload, few).seconds == Approx(all).epsilon(0.1));
    }
}

TEST_CASE("what is not among all ranks is as it was", "[plan]") {
    const auto halo =
        lapwing::complete({.volume = 4000, .pattern = Pattern::halo, .ranks = 9, .peers = 4});
    const auto fewer = scale_down(halo, 4);
    CHECK(fewer.workload.ranks == 9);
    CHECK(fewer.time_scale == 1);
    const auto messages = Messages::uniform(4000, 1000, 8);
    CHECK(fewer.candidate({.messages = messages}).messages == messages);
    CHECK(scale_down(of(Pattern::alltoall, 5), 5).time_scale == 1);
}

TEST_CASE("few ranks have leaves with one link up that is as narrow", "[plan]") {
    CHECK_FALSE(lapwing::scale_down(std::optional<Topology>(), 64));
    const Topology full{.nodes = 64, .below = 8, .uplinks = 8, .reason = {}};
    CHECK(lapwing::scale_down(full, 64)->uplinks == 0);
    const Topology tapered{.nodes = 64, .below = 8, .uplinks = 2, .reason = {}};
    const auto narrow = lapwing::scale_down(tapered, 64);
    // Of 8 nodes 56 others are behind 2 links up: 8 x 56 / 2 to 63 of a node's own.
    CHECK(narrow->below == 4);
    CHECK(narrow->uplinks == 1);
    // Ranks that are more than the nodes fill one leaf after the other.
    CHECK(narrow->nodes < 2 * narrow->below);
    CHECK(narrow->nodes > narrow->below);
    // One under each leaf has a link up to itself.
    CHECK(lapwing::scale_down(tapered, 8)->uplinks == 0);
}
