#include "lapwing/plan/fewer.hpp"

#include <catch2/catch.hpp>

#include "lapwing/plan/schedule.hpp"
#include "lapwing/plan/words.hpp"
#include "support/machine.hpp"

using lapwing::among;
using lapwing::Direction;
using lapwing::Messages;
using lapwing::narrowed;
using lapwing::Nic;
using lapwing::Pattern;
using lapwing::PeerOrder;
using lapwing::Plan;
using lapwing::Rehearsal;
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
        const Rehearsal rehearsal(profile);
        const double all = rehearsal.play(plan).seconds;
        const auto fewer = among(plan.workload, 9);
        INFO(lapwing::name(pattern));
        CHECK(fewer.longer == Approx(2));
        Plan few = plan;
        few.workload = fewer.workload;
        few.messages = fewer.messages(plan.messages);
        CHECK(rehearsal.effort(few) < rehearsal.effort(plan) / 2);
        CHECK(fewer.longer * rehearsal.play(few).seconds == Approx(all).epsilon(0.1));
    }
}

TEST_CASE("what is not among all ranks is as it was", "[plan]") {
    const auto halo =
        lapwing::complete({.volume = 4000, .pattern = Pattern::halo, .ranks = 9, .peers = 4});
    const auto fewer = among(halo, 4);
    CHECK(fewer.workload.ranks == 9);
    CHECK(fewer.longer == 1);
    const auto messages = Messages::uniform(4000, 1000, 8);
    CHECK(fewer.messages(messages) == messages);
    CHECK(among(of(Pattern::alltoall, 5), 5).longer == 1);
}

TEST_CASE("few ranks have leaves with one link up that is as narrow", "[plan]") {
    CHECK_FALSE(narrowed({}, 64));
    const Topology full{.nodes = 64, .below = 8, .uplinks = 8, .reason = {}};
    CHECK(narrowed(full, 64)->uplinks == 0);
    const Topology tapered{.nodes = 64, .below = 8, .uplinks = 2, .reason = {}};
    const auto narrow = narrowed(tapered, 64);
    // Of 8 nodes 56 others are behind 2 links up: 8 x 56 / 2 to 63 of a node's own.
    CHECK(narrow->below == 4);
    CHECK(narrow->uplinks == 1);
    // Ranks that are more than the nodes fill one leaf after the other.
    CHECK(narrow->nodes < 2 * narrow->below);
    CHECK(narrow->nodes > narrow->below);
    // One under each leaf has a link up to itself.
    CHECK(narrowed(tapered, 8)->uplinks == 0);
}
