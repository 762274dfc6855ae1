#include "lapwing/simulate/links/topology.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "simulate/links/links.hpp"

using Catch::Matchers::Contains;
using lapwing::Nic;
using lapwing::simulate::Topology;
using lapwing::test::arrivals;
using lapwing::test::at_once;
using lapwing::test::finish;
using lapwing::test::links_alone;
using lapwing::test::Sent;

TEST_CASE("messages contend for the links between leaf switches", "[simulate][links]") {
    const std::vector<Sent> across{{0, 2, 100}, {1, 3, 100}};
    for (const Nic nic : {Nic::serialising, Nic::sharing}) {
        // A link for each node under a leaf switch, and one for two of them.
        const auto full = arrivals(4, across, nic, {2, 2});
        CHECK(full[2] == Approx(110));
        CHECK(full[3] == Approx(110));
        const auto taper = arrivals(4, across, nic, {2, 1});
        CHECK(std::max(taper[2], taper[3]) == Approx(210));
        CHECK(std::min(taper[2], taper[3]) == Approx(nic == Nic::sharing ? 210 : 110));
        // Under one leaf switch there are none.
        CHECK(arrivals(4, {{0, 1, 100}, {2, 3, 100}}, nic, {2, 1})[3] == Approx(110));
        // The receiver's number decides which link: 0 and 2 of the other leaf have one, 1 another.
        CHECK(arrivals(8, {{0, 4, 100}, {1, 6, 100}}, nic, {4, 2})[6] == Approx(210));
        CHECK(arrivals(8, {{0, 4, 100}, {1, 5, 100}}, nic, {4, 2})[5] == Approx(110));
    }
}

TEST_CASE("few nodes are spread over the machine, many fill one leaf after the other",
          "[simulate][links]") {
    const Topology::View two(Topology(2, 1, 4), 2);
    CHECK(two.hops(0, 1) == 2);
    const Topology::View four(Topology(2, 1, 4), 4);
    CHECK(four.hops(0, 1) == 0);
    CHECK(four.hops(1, 2) == 2);
    const Topology::View packed(Topology(2, 1), 2);
    CHECK(packed.hops(0, 1) == 0);
    const Topology::View flat(Topology{}, 2);
    CHECK(flat.hops(0, 1) == 0);
}

TEST_CASE("latencies within and between leaf switches are those measured", "[simulate][links]") {
    auto profile = links_alone(Nic::serialising);
    profile.topology = lapwing::Topology{
        .nodes = 4, .below = 2, .uplinks = 2, .near = 7.008e-6, .far = 10.008e-6, .reason = {}};
    // The tables are of two nodes that are far from each other, or near.
    CHECK(finish(at_once(4, {{0, 1, 1}}), profile)[1] == Approx(7 + 1));
    CHECK(finish(at_once(4, {{0, 2, 1}}), profile)[2] == Approx(10 + 1));
    profile.topology->near = 10.008e-6;
    profile.topology->far = 14.008e-6;
    CHECK(finish(at_once(4, {{0, 1, 1}}), profile)[1] == Approx(10 + 1));
    CHECK(finish(at_once(4, {{0, 2, 1}}), profile)[2] == Approx(14 + 1));
}

TEST_CASE("a topology is read from text", "[simulate][links]") {
    CHECK(Topology::from_text("flat").flat());
    CHECK(!Topology::from_text("fat-tree:8,4").flat());
    CHECK(Topology::View(Topology::from_text("fat-tree:2,1,8"), 4).hops(0, 1) == 2);
    CHECK_THROWS_WITH(Topology::View(Topology::from_text("fat-tree:2,1,8"), 9),
                      Catch::Contains("has 8 nodes, and the schedule needs 9"));
    for (const char* text : {"", "flat:2", "fat-tree", "fat-tree:", "fat-tree:8", "fat-tree:8,0",
                             "fat-tree:8,4,", "fat-tree:8,4,2,1", "fat-tree:-8,4", "fat-tree:8 4"})
        CHECK_THROWS_WITH(Topology::from_text(text), Contains("is no topology"));
}
