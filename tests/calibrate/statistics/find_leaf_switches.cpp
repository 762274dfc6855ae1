#include "lapwing/calibrate/statistics/find_leaf_switches.hpp"

#include <catch2/catch.hpp>

using lapwing::find_leaf_switches;
using lapwing::Topology;

TEST_CASE("near nodes are under the leaf switch of the first", "[calibrate]") {
    const Topology found = find_leaf_switches({5.5, 5.6, 5.4, 8.0, 8.1, 7.9, 8.0});
    CHECK(found.nodes == 8);
    CHECK(found.below == 4);
    CHECK(found.near == Approx(5.5));
    CHECK(found.far == Approx(8.0));
    CHECK(found.reason.empty());
}

TEST_CASE("what is hidden in what processors take tells nodes apart too", "[calibrate]") {
    const Topology found = find_leaf_switches({8.00, 8.01, 8.00, 8.50, 8.51, 8.50, 8.51});
    CHECK(found.below == 4);
    CHECK(found.near == Approx(8.00));
    CHECK(found.far == Approx(8.51));
    // No more than they vary, or one by itself.
    CHECK(find_leaf_switches({8.00, 8.10, 8.00, 8.50, 8.51, 8.50, 8.51}).uplinks == 0);
    CHECK(find_leaf_switches({8.00, 8.10, 8.00, 8.50, 8.51, 8.50, 8.51}).below == 8);
    CHECK(find_leaf_switches({8.00, 8.50, 8.50, 8.50}).below == 5);
    CHECK(find_leaf_switches({8.00, 8.00, 8.00000001, 8.00000001}).below == 5);
}

TEST_CASE("where nothing tells nodes apart there is one switch", "[calibrate]") {
    for (const auto& trips : {std::vector{8.0, 7.5, 8.1}, std::vector{5.0, 8.0},
                              std::vector{8.0, 5.0, 5.0, 8.0}, std::vector{5.0, 8.0, 5.0, 8.0}}) {
        const Topology found = find_leaf_switches(trips);
        CHECK(found.below == found.nodes);
        CHECK(found.uplinks == 0);
        CHECK(!found.reason.empty());
    }
}
