#include "lapwing/calibrate/statistics/detect.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "support/random.hpp"
#include "support/stub_transport.hpp"

using lapwing::Burst;
using lapwing::detect_queue_depth;
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

/// That burst, with what is known of a stub's messages.
Burst burst(const std::vector<double>& times, const StubCosts& costs) {
    const double gap = costs.per_byte * static_cast<double>(message_bytes);
    return {times, costs.overhead + costs.latency + gap, gap};
}

/// The depth that such a stub shows; 0 if none.
int depth_of(const StubCosts& costs, std::size_t count = 256) {
    const auto times = initiation(costs, count);
    const auto found = detect_queue_depth(burst(times, costs));
    return found ? found->depth : 0;
}

/// The depth that `times` show, of messages that complete later than the burst takes; 0 if none.
int depth_in(const std::vector<double>& times, double factor = 2) {
    const auto found = detect_queue_depth({times, never, 1000}, factor);
    return found ? found->depth : 0;
}

/// Seconds of initiations of an interface that takes `more` seconds longer for each when its queue
/// is full, with messages that complete as `known` says.
std::vector<double> charged(std::size_t count, int depth, double overhead, double more,
                            const Burst& known) {
    std::vector<double> times;
    for (std::size_t k = 0; k < count; ++k) {
        const Burst so_far{times, known.first_complete, known.gap};
        times.push_back(overhead + (so_far.outstanding(k) >= depth ? more : 0));
    }
    return times;
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
    const auto times = initiation(costs, 256);
    CHECK(detect_queue_depth(burst(times, costs))->waits);
}

TEST_CASE("a queue that takes longer is found at its depth", "[calibrate]") {
    const int depth = GENERATE(1, 2, 3, 8, 64, 100, 200);
    const double more = GENERATE(1.5, 4.0, 20.0);
    const double first_complete = GENERATE(3.3, 12.3, never);
    const Burst known{{}, first_complete, 10.1};
    const auto times = charged(256, depth, 1, more, known);
    const auto found = detect_queue_depth({times, known.first_complete, known.gap, true});
    REQUIRE(found);
    CHECK(found->depth == depth);
    CHECK(static_cast<int>(found->full) >= depth);
    if (first_complete == never) CHECK(found->waits == (more > known.gap));
}

TEST_CASE("a queue that shares its wire lets no message go until all have come far",
          "[calibrate]") {
    const int depth = GENERATE(1, 2, 8, 27);
    // One long wait for the first, and then each message follows close behind the one before.
    std::vector<double> times(32, 1.0);
    for (std::size_t k = 0; k < times.size(); ++k)
        if (k > 0 && k % static_cast<std::size_t>(depth) == 0) times[k] = depth * 8.0;
    const auto found = detect_queue_depth({times, never, 8, true});
    REQUIRE(found);
    CHECK(found->depth == depth);
    CHECK(found->waits);
}

TEST_CASE("an overhead that grows with the burst is no queue that comes later", "[calibrate]") {
    const auto waits = GENERATE(false, true);
    std::vector<double> times(64, 1.0);
    for (std::size_t k = 8; k < 40; ++k) times[k] = 2.2;
    for (std::size_t k = 40; k < times.size(); ++k) times[k] = waits ? 50 : 6;
    const auto found = detect_queue_depth({times, never, 50});
    REQUIRE(found);
    CHECK(found->depth == 40);
    CHECK(found->waits == waits);
}

TEST_CASE("what is outstanding are messages that are not complete", "[calibrate]") {
    const std::vector<double> times(10, 1.0);
    const Burst burst{times, 3.5, 2};
    CHECK(burst.outstanding(0) == 0);
    CHECK(burst.outstanding(3) == 3);
    CHECK(burst.outstanding(4) == 3);
    CHECK(burst.outstanding(5) == 4);
    CHECK(burst.outstanding(6) == 4);
    CHECK(burst.outstanding(10) == 6);
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
        const auto found = detect_queue_depth(burst(times, costs));
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
    const auto found = detect_queue_depth(burst(times, costs));
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
        CHECK_FALSE(detect_queue_depth(burst(times, none)));
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
