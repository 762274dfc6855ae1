#include "lapwing/model/network.hpp"

#include <catch2/catch.hpp>
#include <vector>

using lapwing::model::MessageCost;
using lapwing::model::MessageCosts;
using lapwing::model::Network;

TEST_CASE("costs are straight lines between sizes, and on beyond the last two", "[model]") {
    const MessageCosts costs({0, 8, 1000, 4000},
                             {{1, 5, 0, 2}, {1, 5, 8, 2}, {3, 5, 100, 4}, {3, 8, 400, 4}});
    const auto is = [&](double size, const MessageCost& expected) {
        const auto cost = costs(size);
        CHECK(cost.send == Approx(expected.send));
        CHECK(cost.latency == Approx(expected.latency));
        CHECK(cost.wire == Approx(expected.wire));
        CHECK(cost.receive == Approx(expected.receive));
        CHECK(costs.total(size) == Approx(cost.total()));
    };
    is(0, {1, 5, 0, 2});
    is(4, {1, 5, 4, 2});
    is(8, {1, 5, 8, 2});
    is(504, {2, 5, 54, 3});
    is(1000, {3, 5, 100, 4});
    is(2500, {3, 6.5, 250, 4});
    is(10000, {3, 14, 1000, 4});
}

TEST_CASE("costs that cannot be are refused", "[model]") {
    CHECK_THROWS(MessageCosts({}, {}));
    CHECK_THROWS(MessageCosts({1}, {{}}));
    CHECK_THROWS(MessageCosts({0, 8}, {{}}));
    CHECK_THROWS(MessageCosts({0, 8, 8}, {{}, {}, {}}));
    CHECK(MessageCosts({0}, {{1, 1, 1, 1}})(1e9).total() == 4);
}

TEST_CASE("near ranks are on the same node", "[model]") {
    Network network;
    network.between = MessageCosts({0}, {{.latency = 5}});
    network.within = MessageCosts({0}, {{.latency = 1}});
    CHECK(network.total(8, 1) == 5);
    network.ranks_per_node = 4;
    CHECK(network.total(8, 3) == 1);
    CHECK(network.message(8, 4).latency == 5);
}
