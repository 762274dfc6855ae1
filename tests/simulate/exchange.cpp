#include "lapwing/simulate/exchange.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/simulate/wire.hpp"

using lapwing::Nic;
using lapwing::simulate::Exchange;
using lapwing::simulate::exchange;
using lapwing::simulate::Wire;

namespace {

Exchange costs() {
    Exchange x;
    x.costs.L = 5;
    x.costs.o_s.base = 1;
    x.costs.o_r.base = 2;
    x.costs.G = 1;
    return x;
}

}  // namespace

TEST_CASE("a serialising wire carries one after another", "[simulate]") {
    Wire wire(Nic::serialising);
    wire.enter(0, 10);
    wire.enter(1, 10);
    wire.enter(30, 10);
    CHECK(wire.over(0) == 10);
    CHECK(wire.over(1) == 20);
    CHECK(wire.over(2) == 40);
}

TEST_CASE("a shared wire carries all at once", "[simulate]") {
    Wire wire(Nic::sharing);
    wire.enter(0, 10);
    wire.enter(5, 10);
    // The first has 5 left when the second comes: 10 later it is over, the second 5 behind that.
    CHECK(wire.over(0) == Approx(15));
    CHECK(wire.over(1) == Approx(20));
    wire.enter(30, 4);
    CHECK(wire.over(2) == Approx(34));
}

TEST_CASE("what an exchange takes, by hand", "[simulate]") {
    Exchange x = costs();
    // Sent at 1, under way until 6 + 10, taken up at 18.
    CHECK(exchange(x, {10}, 1, 1).seconds == 18);
    // The second is sent at 2, and over at 26.
    CHECK(exchange(x, {10, 10}, 2, 2).seconds == 28);
    // One at a time: the second is sent at 19.
    CHECK(exchange(x, {10, 10}, 1, 2).seconds == 36);
    x.after = 1;
    CHECK(exchange(x, {10, 10}, 2, 2).seconds == 38);
    x.after = 0;
    x.before = 1;
    CHECK(exchange(x, {10, 10}, 2, 2).seconds == 38);
}

TEST_CASE("who only receives does not pay for sending", "[simulate]") {
    Exchange x = costs();
    x.sends = false;
    x.after = 1;
    // Arrives at 16, is taken up until 18 and consumed until 28; the second has long been there.
    CHECK(exchange(x, {10, 10}, 2, 1).seconds == 40);
}

TEST_CASE("ranks are in step with two peers under way, not with three", "[simulate]") {
    const std::vector<double> sizes(6, 10);
    CHECK(exchange(costs(), sizes, 2, 1).in_step);
    CHECK_FALSE(exchange(costs(), sizes, 3, 1).in_step);
    CHECK(exchange(costs(), sizes, 3, 2).in_step);
}
