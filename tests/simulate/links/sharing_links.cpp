#include "lapwing/simulate/links/sharing_links.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "simulate/links/links.hpp"

using lapwing::Nic;
using lapwing::test::arrivals;

TEST_CASE("two messages to one rank share its link and end together", "[simulate][links]") {
    CHECK(arrivals(3, {{0, 2, 100}, {1, 2, 100}}, Nic::sharing)[2] == Approx(10 + 200));
    CHECK(arrivals(3, {{0, 1, 100}, {0, 2, 100}}, Nic::sharing) ==
          std::vector<double>{0, 210, 210});
}

TEST_CASE("bandwidth that one message cannot use goes to the others", "[simulate][links]") {
    // Three messages to rank 3 have a third each; the fourth has the two thirds of its sender's
    // link that one of them leaves. When it has ended, they cannot use what it leaves.
    const auto ends =
        arrivals(5, {{0, 3, 100}, {1, 3, 100}, {2, 3, 100}, {2, 4, 100}}, Nic::sharing);
    CHECK(ends[4] == Approx(10 + 150));
    CHECK(ends[3] == Approx(10 + 300));
}

TEST_CASE("a message that stays gets the bandwidth of one that ends", "[simulate][links]") {
    // Half each until 50 us of either are done, then all of it.
    const auto left = arrivals(4, {{0, 2, 50}, {1, 2, 100}, {1, 3, 25}}, Nic::sharing);
    // Until 60: a half each. Then 0 -> 2 and 1 -> 2 have 25 and 75 to go, of which the first ends
    // at 110 and the other at 160.
    CHECK(left[3] == Approx(10 + 50));
    CHECK(left[2] == Approx(10 + 150));
}

TEST_CASE("groups that do not meet keep their own times", "[simulate][links]") {
    const auto ends = arrivals(6, {{0, 1, 100}, {2, 3, 30}, {4, 5, 60}, {4, 5, 60}}, Nic::sharing);
    CHECK(ends[1] == Approx(10 + 100));
    CHECK(ends[3] == Approx(10 + 30));
    CHECK(ends[5] == Approx(10 + 120));
}

TEST_CASE("a flow that takes longer than time can hold is refused", "[simulate][links]") {
    lapwing::Profile profile = lapwing::test::links_alone(Nic::sharing);
    profile.loggp.G = 100;
    std::vector<lapwing::test::Sent> sends;
    for (int rank = 0; rank < 20; ++rank) sends.push_back({rank, 20, 5});
    CHECK_THROWS_AS(lapwing::test::finish(at_once(21, sends), profile), std::invalid_argument);
}
