#include "lapwing/pipeline/tuned.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "support/machine.hpp"
#include "support/stub_transport.hpp"

using lapwing::Activity;
using lapwing::Buffer;
using lapwing::Plan;
using lapwing::StepTimer;
using lapwing::StepTimes;
using lapwing::Tuner;
using lapwing::test::StubTransport;

TEST_CASE("a timer tells work from waiting", "[pipeline][tuner]") {
    const StepTimer fresh;
    CHECK(fresh.times().computation == 0);
    StepTimer timer;
    const double past = StepTimer::start() - 10;
    timer.add(Activity::computation, past);
    timer.add(Activity::consumption, past);
    timer.add(Activity::poll, past + 6);
    timer.add(Activity::wait, past + 9);
    const StepTimes seen = timer.times();
    CHECK(seen.computation == Approx(16).margin(0.1));
    CHECK(seen.wait == Approx(1).margin(0.1));
    CHECK(seen.elapsed >= 0);
}

TEST_CASE("streams and pipelines run whole while a tuner looks after them", "[pipeline][tuner]") {
    const lapwing::Workload workload{.volume = 65536, .compute = 1e-4, .grain = 8};
    Tuner tuner(lapwing::test::infiniband(), workload);
    std::vector<std::uint64_t> numbers(workload.volume / 8);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    std::vector<std::byte> bytes(workload.volume);
    std::memcpy(bytes.data(), numbers.data(), bytes.size());

    int step = 0;
    for (; !tuner.settled() || step < 30; ++step) {
        REQUIRE(step < 1000);
        bool watched = false;
        lapwing::tuned(tuner, [&](const Plan& plan, StepTimer& timer) {
            StubTransport transport({}, bytes);
            if (step % 2 == 0) {
                std::vector<std::uint64_t> arrived(numbers.size());
                const lapwing::Source source{transport, 1, std::span(arrived)};
                lapwing::stream<std::uint64_t>(
                    source, plan, [](const auto&) {}, timer);
                REQUIRE(arrived == numbers);
            } else {
                int tag = 0;
                lapwing::pipeline(
                    plan, numbers.size(),
                    [&](std::uint64_t k, Buffer& buffer) { buffer.append(&numbers[k], 8); },
                    [&](Buffer& buffer) {
                        return transport.send(buffer.data(), buffer.size(), 1, tag++);
                    },
                    lapwing::NoConsume{}, timer);
                REQUIRE(transport.sent == bytes);
            }
            watched = timer.seconds(Activity::wait) > 0;
        });
        CHECK(watched);
    }
    CHECK(tuner.settled());
}

TEST_CASE("an exception leaves the tuner as it was", "[pipeline][tuner]") {
    Tuner tuner(lapwing::test::infiniband(), {.volume = 65536, .compute = 1e-4, .grain = 8});
    int asked = 0;
    const auto agree = [&](const StepTimes& mine) {
        ++asked;
        return mine;
    };
    const auto fails = [](const Plan&, StepTimer&) { throw std::runtime_error("enough"); };
    for (int i = 0; i < 100; ++i) CHECK_THROWS_AS(tuned(tuner, fails, agree), std::runtime_error);
    CHECK(asked == 0);
    CHECK_FALSE(tuner.settled());
}
