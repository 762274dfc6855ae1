#include "lapwing/simulate/recurrence/representative_rank.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/simulate/recurrence/wire.hpp"

using lapwing::Nic;
using lapwing::simulate::RepresentativeRank;
using lapwing::simulate::Wire;

namespace {

RepresentativeRank costs() {
    RepresentativeRank x;
    x.costs.L = 5;
    x.costs.o_s.base = 1;
    x.costs.o_r.base = 2;
    x.costs.G = 1;
    return x;
}

}  // namespace

TEST_CASE("a serialising wire carries one message after another", "[simulate]") {
    Wire wire(Nic::serialising);
    wire.enter(0, 10);
    wire.enter(1, 10);
    wire.enter(30, 10);
    CHECK(wire.end(0) == 10);
    CHECK(wire.end(1) == 20);
    CHECK(wire.end(2) == 40);
}

TEST_CASE("a shared wire carries all messages at once", "[simulate]") {
    Wire wire(Nic::sharing);
    wire.enter(0, 10);
    wire.enter(5, 10);
    // The first has 5 left when the second enters: it leaves 10 later, the second 5 after that.
    CHECK(wire.end(0) == Approx(15));
    CHECK(wire.end(1) == Approx(20));
    wire.enter(30, 4);
    CHECK(wire.end(2) == Approx(34));
}

TEST_CASE("a representative rank by hand", "[simulate]") {
    RepresentativeRank x = costs();
    // Sent at 1, under way until 6 + 10, received at 18.
    CHECK(x.run({10}, 1, 1).seconds == 18);
    // The second is sent at 2, and has left the wire at 26.
    CHECK(x.run({10, 10}, 2, 2).seconds == 28);
    // One at a time: the second is sent at 19.
    CHECK(x.run({10, 10}, 1, 2).seconds == 36);
    // The first is received at 18 and consumed at 28, the second at 30 and 40.
    x.after = 1;
    CHECK(x.run({10, 10}, 2, 2).seconds == 40);
    // The second is computed at 21, sent at 22, and has left the wire at 37.
    x.after = 0;
    x.before = 1;
    CHECK(x.run({10, 10}, 2, 2).seconds == 39);
}

TEST_CASE("a rank that only receives has no send overhead", "[simulate]") {
    RepresentativeRank x = costs();
    x.sends = false;
    x.after = 1;
    // Arrives at 16, is received until 18 and consumed until 28; the second has long arrived.
    CHECK(x.run({10, 10}, 2, 1).seconds == 40);
}

TEST_CASE("ranks are in step with two peers under way, not with three", "[simulate]") {
    const std::vector<double> sizes(6, 10);
    CHECK(costs().run(sizes, 2, 1).in_step);
    CHECK_FALSE(costs().run(sizes, 3, 1).in_step);
    CHECK(costs().run(sizes, 3, 2).in_step);
}
