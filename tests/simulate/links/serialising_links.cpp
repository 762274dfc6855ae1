#include "lapwing/simulate/links/serialising_links.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "simulate/links/links.hpp"

using lapwing::Nic;
using lapwing::test::arrivals;
using lapwing::test::Sent;

TEST_CASE("two messages to one rank arrive one after the other", "[simulate][links]") {
    CHECK(arrivals(3, {{0, 2, 100}, {1, 2, 100}}, Nic::serialising)[2] == Approx(10 + 200));
    CHECK(arrivals(3, {{0, 1, 100}, {0, 2, 100}}, Nic::serialising)[2] == Approx(10 + 200));
}

TEST_CASE("a message holds the links of both ends, and one that is blocked lets others pass",
          "[simulate][links]") {
    // 1 -> 2 waits for 0 -> 2; 1 -> 3 passes it, and then 1 -> 2 has waited for both.
    const auto passed = arrivals(4, {{0, 2, 100}, {1, 2, 50}, {1, 3, 70}}, Nic::serialising);
    CHECK(passed[3] == Approx(10 + 70));
    CHECK(passed[2] == Approx(10 + 100 + 50));
    // While it waits it holds no link of either end.
    const auto longer = arrivals(4, {{0, 2, 100}, {1, 2, 50}, {1, 3, 130}}, Nic::serialising);
    CHECK(longer[3] == Approx(10 + 130));
    CHECK(longer[2] == Approx(10 + 130 + 50));
}

TEST_CASE("of messages that wait, the first that can start does", "[simulate][links]") {
    // To rank 3 one after the other, in the order in which they came.
    const auto order =
        arrivals(5, {{0, 3, 100}, {1, 3, 10}, {2, 3, 20}, {2, 4, 5}}, Nic::serialising);
    CHECK(order[3] == Approx(10 + 100 + 10 + 20));
    CHECK(order[4] == Approx(10 + 5));
}

TEST_CASE("an interface considers a window of messages and no more", "[simulate][links]") {
    const auto blocked_by = [](std::size_t count) {
        std::vector<Sent> sends{{0, 2, 1000}};
        for (std::size_t i = 0; i < count; ++i) sends.push_back({1, 2, 1});
        sends.push_back({1, 3, 1});
        return arrivals(4, sends, Nic::serialising)[3];
    };
    constexpr std::size_t window =
        lapwing::simulate::SerialisingLinks<lapwing::simulate::Topology::View>::window;
    CHECK(blocked_by(window - 1) == Approx(10 + 1));
    CHECK(blocked_by(window) >= 10 + 1000);
}
