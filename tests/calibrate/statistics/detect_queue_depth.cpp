#include "lapwing/calibrate/statistics/detect.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "support/random.hpp"
#include "support/stub_transport.hpp"

using lapwing::detect_queue_depth;
using lapwing::test::Random;
using lapwing::test::StubCosts;
using lapwing::test::StubTransport;

namespace {

/// Seconds each of `count` sends takes to initiate over a stub.
std::vector<double> initiation(const StubCosts& costs, std::size_t count, std::size_t size = 1024) {
    StubTransport transport(costs);
    const std::vector<std::byte> data(size);
    std::vector<StubTransport::Request> requests;
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        const double before = transport.now();
        requests.push_back(transport.send(data.data(), size, 1, static_cast<int>(i)));
        times.push_back(transport.now() - before);
    }
    for (auto& request : requests) request.wait();
    return times;
}

}  // namespace

TEST_CASE("a queue is found at its depth", "[calibrate]") {
    const std::size_t depth = GENERATE(8, 16, 32, 64, 100);
    // The first message is complete only after the queue has filled; a message is 10 us on the
    // wire.
    const auto times = initiation(
        {.overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8, .queue_depth = depth}, 256);
    CHECK(detect_queue_depth(times) == static_cast<int>(depth));
}

TEST_CASE("a queue that drains meanwhile is found a little late", "[calibrate]") {
    const std::size_t depth = GENERATE(8, 16, 32, 64, 100);
    const auto times = initiation(
        {.overhead = 1e-6, .latency = 5e-6, .per_byte = 1e-8, .queue_depth = depth}, 256);
    const auto found = detect_queue_depth(times);
    REQUIRE(found);
    CHECK(*found >= static_cast<int>(depth));
    // A tenth of the queue has drained by the time it is full.
    CHECK(*found <= static_cast<int>(depth) * 10 / 9 + 1);
}

TEST_CASE("a queue is found in noise", "[calibrate]") {
    const std::size_t depth = GENERATE(8, 16, 32, 64, 100);
    Random random(91 + depth);
    int wrong = 0;
    for (int trial = 0; trial < 100; ++trial) {
        auto times = initiation(
            {.overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8, .queue_depth = depth}, 256);
        for (auto& time : times) time *= random.uniform(0.8, 1.25);
        if (detect_queue_depth(times) != static_cast<int>(depth)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("one slow message before the queue is full is not its end", "[calibrate]") {
    const std::size_t depth = GENERATE(16, 64, 100);
    const std::size_t slow = GENERATE(4, 10);
    auto times = initiation(
        {.overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8, .queue_depth = depth}, 256);
    times[slow] *= 20;
    CHECK(detect_queue_depth(times) == static_cast<int>(depth));
}

TEST_CASE("no queue is seen where there is none", "[calibrate]") {
    const StubCosts endless{.overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8};
    CHECK_FALSE(detect_queue_depth(initiation(endless, 256)));
    // Deeper than the burst is as good as endless.
    CHECK_FALSE(detect_queue_depth(initiation({.overhead = 1e-6, .queue_depth = 300}, 256)));
    // A wire faster than initiation never fills the queue.
    CHECK_FALSE(detect_queue_depth(initiation(
        {.overhead = 1e-6, .latency = 1e-6, .per_byte = 1e-12, .queue_depth = 16}, 256)));
    Random random(92);
    for (int trial = 0; trial < 200; ++trial) {
        auto times = initiation(endless, 256);
        for (auto& time : times) {
            time *= random.uniform(0.8, 1.25);
            if (random.chance(0.05)) time *= random.uniform(2, 100);
        }
        CHECK_FALSE(detect_queue_depth(times));
    }
}

TEST_CASE("the first message and single slow ones are no knee", "[calibrate]") {
    std::vector<double> times(64, 1.0);
    times[0] = 100;
    CHECK_FALSE(detect_queue_depth(times));
    times[30] = 50;
    CHECK_FALSE(detect_queue_depth(times));
    // A slow stretch that ends is none either.
    for (std::size_t i = 20; i < 30; ++i) times[i] = 10;
    CHECK_FALSE(detect_queue_depth(times));
}

TEST_CASE("the factor says what slow means", "[calibrate]") {
    std::vector<double> times(32, 1.0);
    for (std::size_t i = 16; i < 32; ++i) times[i] = 1.9;
    CHECK_FALSE(detect_queue_depth(times));
    CHECK(detect_queue_depth(times, 1.5) == 16);
}

TEST_CASE("too few messages prove nothing", "[calibrate]") {
    CHECK_FALSE(detect_queue_depth({}));
    CHECK_FALSE(detect_queue_depth(std::vector<double>{1, 1, 1, 9, 9, 9, 9}));
    CHECK(detect_queue_depth(std::vector<double>{1, 1, 1, 1, 9, 9, 9, 9}) == 4);
}
