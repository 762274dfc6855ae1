#include "lapwing/plan/finalist.hpp"

#include <catch2/catch.hpp>

using lapwing::FinalLimits;
using lapwing::Messages;
using lapwing::PeerOrder;
using lapwing::widest;
using lapwing::within;

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

TEST_CASE("a finalist is brought within its limits", "[plan]") {
    const auto messages = Messages::uniform(1 << 20, 1 << 16, 8);  // 16
    const FinalLimits several{.peers = 2, .deepest = 8, .bursts = true};
    CHECK(within({messages, 64}, several).window == 8);
    CHECK(within({messages, 0}, several).window == 1);
    // Two bursts, and none of one message alone, where they are a choice.
    CHECK(within({messages, 7, PeerOrder::contiguous, true}, several).burst() == 3);
    CHECK(within({messages, 1, PeerOrder::contiguous, true}, several).burst() == 0);
    const FinalLimits prescribed{.peers = 1, .deepest = 8};
    CHECK(within({messages, 1, PeerOrder::contiguous, true}, prescribed).burst() == 1);
    const auto whole = Messages::uniform(1 << 20, 1 << 20, 8);
    CHECK(within({whole, 2, PeerOrder::contiguous, true}, prescribed).burst() == 0);
    CHECK(within({whole, 2, PeerOrder::interleaved}, several).order == PeerOrder::contiguous);
    CHECK(within({messages, 2, PeerOrder::interleaved}, several).order == PeerOrder::interleaved);
}
