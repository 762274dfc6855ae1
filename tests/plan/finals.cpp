#include "lapwing/plan/finals.hpp"

#include <catch2/catch.hpp>

using lapwing::FinalLimits;
using lapwing::Messages;
using lapwing::widest;

TEST_CASE("a window is no wider than its messages, the queue and the bytes in flight", "[plan]") {
    const auto messages = Messages::uniform(1 << 20, 1 << 10, 8);  // 1,024
    CHECK(widest(messages, {.peers = 1, .deepest = 64}) == 64);
    CHECK(widest(messages, {.peers = 1, .deepest = 5000}) == 1024);
    CHECK(widest(messages, {.peers = 3, .deepest = 5000}) == 3 * 1024);
    CHECK(widest(messages, {.peers = 1, .deepest = 64, .in_flight = 8 << 10}) == 8);
    CHECK(widest(messages, {.peers = 1, .deepest = 64, .in_flight = 100}) == 1);
}

TEST_CASE("a short exchange begins with few of its messages", "[plan]") {
    const double bytes = 64 << 10;
    const auto window = [&](std::uint64_t count) {
        return widest(Messages::uniform(count << 10, 1 << 10, 8),
                      FinalLimits{.peers = 1, .deepest = 64, .in_flight = bytes});
    };
    CHECK(window(1) == 1);
    CHECK(window(12) == 2);
    CHECK(window(64) == 4);
    CHECK(window(4096) == 64);
}
