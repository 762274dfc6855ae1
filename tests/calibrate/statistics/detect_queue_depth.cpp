#include "lapwing/calibrate/statistics/detect.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <optional>
#include <vector>

#include "support/random.hpp"
#include "support/stub_transport.hpp"

using lapwing::Burst;
using lapwing::detect_queue_depth;
using lapwing::QueueDepth;
using lapwing::test::Random;
using lapwing::test::StubCosts;
using lapwing::test::StubTransport;

namespace {

constexpr std::size_t message_bytes = 1024;
constexpr double never = std::numeric_limits<double>::infinity();

/// Seconds each of `count` sends takes to initiate over a stub.
std::vector<double> initiation(const StubCosts& costs, std::size_t count) {
    StubTransport transport(costs);
    const std::vector<std::byte> data(message_bytes);
    std::vector<StubTransport::Request> requests;
    std::vector<double> times;
    for (std::size_t i = 0; i < count; ++i) {
        const double before = transport.now();
        requests.push_back(transport.send(data.data(), message_bytes, 1, static_cast<int>(i)));
        times.push_back(transport.now() - before);
    }
    for (auto& request : requests) request.wait();
    return times;
}

/// When the messages of such a burst are complete, seconds.
std::vector<double> completions(const std::vector<double>& times, const StubCosts& costs) {
    std::vector<double> complete;
    double start = 0;
    double free = 0;
    for (const double seconds : times) {
        start += seconds;
        free = std::max(start + costs.latency, free) +
               costs.per_byte * static_cast<double>(message_bytes);
        complete.push_back(free);
    }
    return complete;
}

/// What a burst over a stub shows.
std::optional<QueueDepth> found_in(const std::vector<double>& times, const StubCosts& costs,
                                   bool exact = false) {
    const auto complete = completions(times, costs);
    return detect_queue_depth(
        {times, complete, costs.per_byte * static_cast<double>(message_bytes), exact});
}

/// The depth that such a stub shows; 0 if none.
int depth_of(const StubCosts& costs, std::size_t count = 256) {
    const auto found = found_in(initiation(costs, count), costs, true);
    return found ? found->depth : 0;
}

/// The same of `times`, of messages that complete later than the burst takes.
std::optional<QueueDepth> found_late(const std::vector<double>& times, double gap,
                                     double factor = 2) {
    const std::vector<double> complete(times.size(), never);
    return detect_queue_depth({times, complete, gap, true}, factor);
}

/// The depth that `times` show in noise; 0 if none.
int depth_in(const std::vector<double>& times, double factor = 2) {
    const std::vector<double> complete(times.size(), never);
    const auto found = detect_queue_depth({times, complete, 1000}, factor);
    return found ? found->depth : 0;
}

}  // namespace

TEST_CASE("a queue is found at its depth", "[calibrate]") {
    const std::size_t depth = GENERATE(1, 2, 3, 8, 16, 32, 64, 100);
    // The first message is complete only after the queue has filled; a message is 10 us on the
    // wire.
    const StubCosts costs{
        .overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8, .queue_depth = depth};
    CHECK(depth_of(costs) == static_cast<int>(depth));
}

TEST_CASE("a queue that drains meanwhile is found at its depth", "[calibrate]") {
    const std::size_t depth = GENERATE(1, 2, 3, 8, 16, 32, 64, 100, 200);
    const double latency = GENERATE(0.7e-6, 5e-6, 33e-6);
    const double per_byte = GENERATE(1e-8, 7.3e-9, 3.1e-8);
    const StubCosts costs{
        .overhead = 1e-6, .latency = latency, .per_byte = per_byte, .queue_depth = depth};
    CHECK(depth_of(costs) == static_cast<int>(depth));
    CHECK(found_in(initiation(costs, 256), costs, true)->waits);
}

TEST_CASE("a queue that takes longer is found at its depth", "[calibrate]") {
    const int depth = GENERATE(1, 2, 3, 8, 64, 100, 200);
    const double more = GENERATE(1.5, 4.0, 20.0);
    const double first_complete = GENERATE(3.3, 12.3, never);
    constexpr double gap = 10.1;
    std::vector<double> complete(256);
    for (std::size_t k = 0; k < complete.size(); ++k)
        complete[k] = first_complete + gap * static_cast<double>(k);
    std::vector<double> times;
    for (std::size_t k = 0; k < complete.size(); ++k) {
        const Burst so_far{times, complete, gap, true};
        times.push_back(so_far.outstanding(k) >= depth ? 1 + more : 1);
    }
    const auto found = detect_queue_depth({times, complete, gap, true});
    REQUIRE(found);
    CHECK(found->depth == depth);
    CHECK(static_cast<int>(found->full) >= depth);
}

TEST_CASE("a queue that shares its wire lets no message go until all have come far",
          "[calibrate]") {
    const int depth = GENERATE(1, 2, 8, 27);
    // One long wait for the first, and then each message follows close behind the one before.
    std::vector<double> times(32, 1.0);
    for (std::size_t k = 0; k < times.size(); ++k)
        if (k > 0 && k % static_cast<std::size_t>(depth) == 0) times[k] = depth * 8.0;
    const auto found = found_late(times, 8);
    REQUIRE(found);
    CHECK(found->depth == depth);
    CHECK(found->waits);
}

TEST_CASE("an overhead that grows with the burst is no queue that comes later", "[calibrate]") {
    const auto waits = GENERATE(false, true);
    std::vector<double> times(64, 1.0);
    for (std::size_t k = 8; k < 40; ++k) times[k] = 2.2;
    for (std::size_t k = 40; k < times.size(); ++k) times[k] = waits ? 50 : 6;
    const auto found = found_late(times, 50);
    REQUIRE(found);
    CHECK(found->depth == 40);
    CHECK(found->waits == waits);
}

TEST_CASE("what is outstanding are messages that are not complete", "[calibrate]") {
    const std::vector<double> times(6, 1.0);
    const std::vector<double> complete{3.5, 4, 5.5, 9, 10, 11};
    const Burst burst{times, complete, 2};
    CHECK(burst.outstanding(0) == 0);
    CHECK(burst.outstanding(3) == 3);
    CHECK(burst.outstanding(4) == 2);
    CHECK(burst.outstanding(5) == 3);
    CHECK(burst.outstanding(6) == 3);
}

TEST_CASE("a receiver has messages later than they come", "[calibrate]") {
    using lapwing::completions;
    // One that is faster than the wire, whatever the pace; and one that is not.
    CHECK(completions(std::vector<double>{12, 22, 52}, 2, 10) == std::vector<double>{10, 20, 50});
    CHECK(completions(std::vector<double>{15, 20, 25, 50}, 5, 3) ==
          std::vector<double>{10, 13, 16, 45});
    CHECK(completions({}, 5, 3).empty());
}

TEST_CASE("a queue is found in noise", "[calibrate]") {
    const std::size_t depth = GENERATE(8, 16, 32, 64, 100);
    Random random(91 + depth);
    const StubCosts costs{
        .overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8, .queue_depth = depth};
    int wrong = 0;
    for (int trial = 0; trial < 100; ++trial) {
        auto times = initiation(costs, 256);
        for (auto& time : times) time *= random.uniform(0.8, 1.25);
        const auto found = found_in(times, costs);
        if (!found || found->depth != static_cast<int>(depth)) ++wrong;
    }
    CHECK(wrong == 0);
}

TEST_CASE("one slow message before the queue is full is not its end", "[calibrate]") {
    const std::size_t depth = GENERATE(16, 64, 100);
    const std::size_t slow = GENERATE(4, 10);
    const StubCosts costs{
        .overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8, .queue_depth = depth};
    auto times = initiation(costs, 256);
    times[slow] *= 20;
    const auto found = found_in(times, costs);
    REQUIRE(found);
    CHECK(found->full == depth);
}

TEST_CASE("no queue is seen where there is none", "[calibrate]") {
    const StubCosts none{.overhead = 1e-6, .latency = 1e-3, .per_byte = 1e-8};
    CHECK(depth_of(none) == 0);
    // Deeper than the burst is as good as endless.
    CHECK(depth_of({.overhead = 1e-6, .per_byte = 1e-8, .queue_depth = 300}) == 0);
    // A wire faster than initiation never fills the queue.
    CHECK(depth_of({.overhead = 1e-6, .latency = 1e-6, .per_byte = 1e-12, .queue_depth = 16}) == 0);
    Random random(92);
    for (int trial = 0; trial < 200; ++trial) {
        auto times = initiation(none, 256);
        for (auto& time : times) {
            time *= random.uniform(0.8, 1.25);
            if (random.chance(0.05)) time *= random.uniform(2, 100);
        }
        CHECK_FALSE(found_in(times, none));
    }
}

TEST_CASE("a wire as fast as initiation shows no queue in noise", "[calibrate]") {
    Random random(93);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<double> times(128);
        for (auto& time : times) time = random.uniform(0.8, 1.25);
        times[0] = random.uniform(0.3, 3);
        const std::vector<double> complete(times.size(), never);
        CHECK_FALSE(detect_queue_depth({times, complete, random.uniform(0.5, 1.5)}));
    }
}

TEST_CASE("the first message and single slow ones are no knee", "[calibrate]") {
    std::vector<double> times(64, 1.0);
    times[0] = 100;
    CHECK(depth_in(times) == 0);
    times[30] = 50;
    CHECK(depth_in(times) == 0);
    // A slow stretch that ends is none either.
    for (std::size_t i = 20; i < 30; ++i) times[i] = 10;
    CHECK(depth_in(times) == 0);
}

TEST_CASE("the factor says what slow means", "[calibrate]") {
    std::vector<double> times(32, 1.0);
    for (std::size_t i = 16; i < 32; ++i) times[i] = 1.9;
    CHECK(depth_in(times) == 0);
    CHECK(depth_in(times, 1.5) == 16);
}

TEST_CASE("too few messages prove nothing", "[calibrate]") {
    CHECK(depth_in({}) == 0);
    CHECK(depth_in({1, 1, 1, 9, 9, 9, 9}) == 0);
    CHECK(depth_in({1, 1, 1, 1, 9, 9, 9, 9}) == 4);
}
