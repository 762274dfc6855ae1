#include "lapwing/plan/candidates/candidate_limits.hpp"

#include <catch2/catch.hpp>

using lapwing::CandidateLimits;
using lapwing::clamped;
using lapwing::max_window;
using lapwing::Messages;
using lapwing::PeerOrder;

TEST_CASE("a window is no wider than its messages, the queue and the bytes in flight", "[plan]") {
    const auto messages = Messages::uniform(1 << 20, 1 << 10, 8);  // 1,024
    CHECK(max_window(messages, {.peers = 1, .max_in_flight = 64}) == 64);
    CHECK(max_window(messages, {.peers = 1, .max_in_flight = 5000}) == 1024);
    CHECK(max_window(messages, {.peers = 3, .max_in_flight = 5000}) == 3 * 1024);
    CHECK(max_window(messages, {.peers = 1, .max_in_flight = 64, .in_flight = 8 << 10}) == 8);
    CHECK(max_window(messages, {.peers = 1, .max_in_flight = 64, .in_flight = 100}) == 1);
}

TEST_CASE("a short exchange begins with few of its messages", "[plan]") {
    const double bytes = 64 << 10;
    const auto window = [&](std::uint64_t count) {
        return max_window(Messages::uniform(count << 10, 1 << 10, 8),
                          CandidateLimits{.peers = 1, .max_in_flight = 64, .in_flight = bytes});
    };
    CHECK(window(1) == 1);
    CHECK(window(12) == 2);
    CHECK(window(64) == 4);
    CHECK(window(4096) == 64);
}

TEST_CASE("a finalist is brought within its limits", "[plan]") {
    const auto messages = Messages::uniform(1 << 20, 1 << 16, 8);  // 16
    const CandidateLimits several{.peers = 2, .max_in_flight = 8, .bursts = true};
    CHECK(clamped({.messages = messages, .window = 64}, several).window == 8);
    CHECK(clamped({.messages = messages, .window = 0}, several).window == 1);
    // Two bursts, and none of one message alone, where they are a choice.
    CHECK(clamped({.messages = messages, .window = 7, .burst = 1}, several).burst == 3);
    CHECK(clamped({.messages = messages, .window = 1, .burst = 1}, several).burst == 0);
    const CandidateLimits prescribed{.peers = 1, .max_in_flight = 8};
    CHECK(clamped({.messages = messages, .window = 1, .burst = 1}, prescribed).burst == 1);
    const auto whole = Messages::uniform(1 << 20, 1 << 20, 8);
    CHECK(clamped({.messages = whole, .window = 2, .burst = 1}, prescribed).burst == 0);
    CHECK(
        clamped({.messages = whole, .window = 2, .order = PeerOrder::interleaved}, several).order ==
        PeerOrder::contiguous);
    CHECK(clamped({.messages = messages, .window = 2, .order = PeerOrder::interleaved}, several)
              .order == PeerOrder::interleaved);
}
