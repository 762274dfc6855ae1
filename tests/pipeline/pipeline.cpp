#include "lapwing/pipeline/pipeline.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "support/machine.hpp"
#include "support/plan.hpp"
#include "support/stub_transport.hpp"

using lapwing::Buffer;
using lapwing::Messages;
using lapwing::Plan;
using lapwing::test::plan_for;
using lapwing::test::Random;
using lapwing::test::StubTransport;

namespace {

/// Runs a pipeline whose step k appends the number k, over a stub.
struct Run {
    StubTransport transport;
    std::vector<std::uint64_t> steps;

    void operator()(const Plan& plan, std::uint64_t count) {
        int tag = 0;
        lapwing::pipeline(
            plan, count,
            [&](std::uint64_t step, Buffer& buffer) {
                steps.push_back(step);
                buffer.append(&step, sizeof step);
            },
            [&](Buffer& buffer) { return transport.send(buffer.data(), buffer.size(), 1, tag++); });
    }
    /// The numbers that were sent.
    [[nodiscard]] std::vector<std::uint64_t> sent() const {
        std::vector<std::uint64_t> numbers(transport.sent.size() / sizeof(std::uint64_t));
        if (!numbers.empty())
            std::memcpy(numbers.data(), transport.sent.data(), transport.sent.size());
        return numbers;
    }
};

std::vector<std::uint64_t> counting(std::uint64_t count) {
    std::vector<std::uint64_t> numbers(count);
    for (std::uint64_t i = 0; i < count; ++i) numbers[i] = i;
    return numbers;
}

}  // namespace

TEST_CASE("a pipeline runs every step once, in order, and sends all", "[pipeline]") {
    Random random(111);
    for (int trial = 0; trial < 200; ++trial) {
        const auto machine = lapwing::test::any_machine(random);
        const auto count = random.integer(1, 5000);
        const std::uint64_t volume = count * 8;
        const Plan plan = lapwing::plan(
            machine,
            {.volume = volume,
             .compute = random.uniform(0, 2) * machine.loggp.G * static_cast<double>(volume),
             .grain = 8,
             .direction = lapwing::Direction::produce},
            random.pick({lapwing::Method::lapwing, lapwing::Method::paper}));
        Run run;
        run(plan, count);
        REQUIRE(run.steps == counting(count));
        CHECK(run.sent() == counting(count));
        CHECK(run.transport.overwritten == 0);
        CHECK(run.transport.under_way == 0);
        CHECK(run.transport.most_under_way <= static_cast<std::size_t>(plan.window));
        const auto sizes = plan.messages.list();
        CHECK(run.transport.sizes == std::vector<std::size_t>(sizes.begin(), sizes.end()));
    }
}

TEST_CASE("tiles of fixed size and a remainder", "[pipeline]") {
    const int window = GENERATE(1, 2, 7, 40);
    Run run;
    run(plan_for(23, 5, window), 23);
    CHECK(run.transport.sizes == std::vector<std::size_t>{40, 40, 40, 40, 24});
    CHECK(run.sent() == counting(23));
    CHECK(run.transport.overwritten == 0);
    CHECK(run.transport.most_under_way ==
          std::min<std::size_t>(5, static_cast<std::size_t>(window)));
}

TEST_CASE("a last step smaller than the grain", "[pipeline]") {
    Plan plan;
    plan.messages = Messages::uniform(20, 8, 8);  // steps of 8, 8 and 4 bytes
    plan.window = 2;
    Run run;
    run(plan, 3);
    CHECK(run.steps == counting(3));
    CHECK(run.transport.sizes.size() == 3);
}

TEST_CASE("no steps, nothing done", "[pipeline]") {
    Run run;
    run(plan_for(10, 2, 2), 0);
    CHECK(run.steps.empty());
    CHECK(run.transport.sizes.empty());
}

TEST_CASE("another number of steps than planned is refused", "[pipeline]") {
    const std::uint64_t count = GENERATE(1, 9, 11, 1000000);
    Run run;
    CHECK_THROWS_AS(run(plan_for(10, 2, 2), count), std::invalid_argument);
    CHECK(run.steps.empty());
}

TEST_CASE("the computation gets an empty buffer for each message", "[pipeline]") {
    StubTransport transport;
    std::vector<std::size_t> found;
    lapwing::pipeline(
        plan_for(6, 2, 2), 6,
        [&](std::uint64_t step, Buffer& buffer) {
            found.push_back(buffer.size());
            buffer.append(&step, sizeof step);
        },
        [&](Buffer& buffer) { return transport.send(buffer.data(), buffer.size(), 0, 0); });
    CHECK(found == std::vector<std::size_t>{0, 8, 0, 8, 0, 8});
}

TEST_CASE("a buffer of the caller's own", "[pipeline]") {
    struct Counted {
        std::vector<std::uint64_t> numbers;
        void clear() { numbers.clear(); }
    };
    StubTransport transport;
    std::uint64_t sum = 0;
    lapwing::pipeline<Counted>(
        plan_for(10, 3, 2), 10,
        [](std::uint64_t step, Counted& buffer) { buffer.numbers.push_back(step); },
        [&](Counted& buffer) {
            for (const auto number : buffer.numbers) sum += number;
            return transport.send(buffer.numbers.data(), buffer.numbers.size() * 8, 0, 0);
        });
    CHECK(sum == 45);
}

TEST_CASE("an exception out of a step leaves nothing in flight", "[pipeline]") {
    StubTransport transport;
    const auto run = [&] {
        lapwing::pipeline(
            plan_for(20, 2, 3), 20,
            [&](std::uint64_t step, Buffer& buffer) {
                if (step == 11) throw std::runtime_error("enough");
                buffer.append(&step, sizeof step);
            },
            [&](Buffer& buffer) { return transport.send(buffer.data(), buffer.size(), 0, 0); });
    };
    CHECK_THROWS_WITH(run(), "enough");
    CHECK(transport.under_way == 0);
    CHECK(transport.overwritten == 0);
    CHECK(transport.sizes.size() == 5);
}

TEST_CASE("an exception out of the communication leaves nothing in flight", "[pipeline]") {
    StubTransport transport;
    const auto run = [&] {
        lapwing::pipeline(
            plan_for(20, 2, 3), 20,
            [](std::uint64_t step, Buffer& buffer) { buffer.append(&step, sizeof step); },
            [&](Buffer& buffer) {
                if (transport.sizes.size() == 4) throw std::runtime_error("enough");
                return transport.send(buffer.data(), buffer.size(), 0, 0);
            });
    };
    CHECK_THROWS_WITH(run(), "enough");
    CHECK(transport.under_way == 0);
    CHECK(transport.overwritten == 0);
}

TEST_CASE("what a message brought is consumed once, in order, when it is complete", "[pipeline]") {
    const int window = GENERATE(1, 2, 3, 40);
    StubTransport transport;
    std::vector<std::uint64_t> consumed;
    std::size_t computed = 0;
    std::size_t initiated = 0;
    lapwing::pipeline(
        plan_for(23, 5, window), 23,
        [&](std::uint64_t step, Buffer& buffer) {
            ++computed;
            buffer.append(&step, sizeof step);
        },
        [&](Buffer& buffer) {
            ++initiated;
            return transport.send(buffer.data(), buffer.size(), 1, 0);
        },
        [&](Buffer& buffer) {
            // All messages up to this one are complete, and its buffer is as it was sent.
            const std::size_t message = consumed.size() / 5;
            CHECK(transport.under_way == initiated - message - 1);
            CHECK(initiated ==
                  std::min<std::size_t>(5, message + static_cast<std::size_t>(window)));
            CHECK(computed == std::min<std::size_t>(23, 5 * initiated));
            const auto* const numbers = reinterpret_cast<const std::uint64_t*>(buffer.data());
            consumed.insert(consumed.end(), numbers, numbers + buffer.size() / sizeof *numbers);
        });
    CHECK(consumed == counting(23));
}

TEST_CASE("what is consumed may be kept by the request", "[pipeline]") {
    // The request of a collective of unknown size holds what has arrived.
    struct Echo {
        StubTransport::Request sending;
        std::vector<std::byte> kept;
        bool complete = false;
        bool test() { return complete = complete || sending.test(); }
        void wait() {
            sending.wait();
            complete = true;
        }
    };
    StubTransport transport;
    std::vector<std::byte> consumed;
    std::size_t messages = 0;
    lapwing::pipeline(
        plan_for(23, 5, 3), 23,
        [](std::uint64_t step, Buffer& buffer) { buffer.append(&step, sizeof step); },
        [&](Buffer& buffer) {
            return Echo{transport.send(buffer.data(), buffer.size(), 1, 0),
                        {buffer.data(), buffer.data() + buffer.size()}};
        },
        [&](Buffer& buffer, Echo& request) {
            ++messages;
            CHECK(request.complete);
            CHECK(request.kept.size() == buffer.size());
            consumed.insert(consumed.end(), request.kept.begin(), request.kept.end());
        });
    CHECK(messages == 5);
    CHECK(consumed == transport.sent);
}

TEST_CASE("an exception out of what consumes leaves nothing in flight", "[pipeline]") {
    StubTransport transport;
    std::size_t messages = 0;
    const auto run = [&] {
        lapwing::pipeline(
            plan_for(20, 2, 3), 20,
            [](std::uint64_t step, Buffer& buffer) { buffer.append(&step, sizeof step); },
            [&](Buffer& buffer) { return transport.send(buffer.data(), buffer.size(), 0, 0); },
            [&](Buffer&) {
                if (++messages == 3) throw std::runtime_error("enough");
            });
    };
    CHECK_THROWS_WITH(run(), "enough");
    CHECK(messages == 3);
    CHECK(transport.under_way == 0);
    CHECK(transport.overwritten == 0);
}
