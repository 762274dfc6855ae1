#include "lapwing/pipeline/stream.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <numeric>
#include <vector>

#include "support/machine.hpp"
#include "support/plan.hpp"
#include "support/stub_transport.hpp"

using lapwing::Messages;
using lapwing::Plan;
using lapwing::Source;
using lapwing::test::plan_for;
using lapwing::test::Random;
using lapwing::test::StubCosts;
using lapwing::test::StubTransport;

namespace {

/// Numbers on their way over a stub.
struct Incoming {
    std::vector<double> expected;
    std::vector<double> data;
    StubTransport transport;

    explicit Incoming(std::size_t count, const StubCosts& costs = {})
        : expected(numbers(count)), data(count, -1), transport(costs, bytes(expected)) {}

    [[nodiscard]] auto source() { return Source{transport, 1, std::span<double>(data)}; }
    [[nodiscard]] bool complete() const { return data == expected; }

    static std::vector<double> numbers(std::size_t count) {
        std::vector<double> values(count);
        std::iota(values.begin(), values.end(), 0.5);
        return values;
    }
    static std::vector<std::byte> bytes(const std::vector<double>& values) {
        std::vector<std::byte> raw(values.size() * sizeof(double));
        if (!raw.empty()) std::memcpy(raw.data(), values.data(), raw.size());
        return raw;
    }
};

}  // namespace

TEST_CASE("a stream's pieces are all there is, in order", "[pipeline]") {
    Random random(101);
    for (int trial = 0; trial < 200; ++trial) {
        const auto machine = lapwing::test::any_machine(random);
        const auto count = random.integer(1, 20000);
        const std::uint64_t grain = sizeof(double) * random.integer(1, 20);
        const auto method = random.pick({lapwing::Method::lapwing, lapwing::Method::paper});
        const Plan plan = lapwing::plan(machine,
                                        {.volume = count * sizeof(double),
                                         .compute = random.uniform(0, 2) * machine.loggp.G *
                                                    static_cast<double>(count * sizeof(double)),
                                         .grain = grain},
                                        method);
        Incoming incoming(count);
        std::uint64_t next = 0;
        for (const auto piece : lapwing::stream<double>(incoming.source(), plan)) {
            REQUIRE(piece.first == next);
            // The piece has arrived by the time it is handed out.
            for (std::size_t i = 0; i < piece.data.size(); ++i)
                REQUIRE(piece.data[i] == incoming.expected[next + i]);
            next += piece.data.size();
        }
        CHECK(next == count);
        CHECK(incoming.complete());
        CHECK(incoming.transport.most_under_way <= static_cast<std::size_t>(plan.window));
        CHECK(incoming.transport.sizes.size() == plan.messages.count());
        for (std::size_t i = 0; i < incoming.transport.tags.size(); ++i)
            REQUIRE(incoming.transport.tags[i] == lapwing::message_tag(i));
    }
}

TEST_CASE("a stream keeps its window full", "[pipeline]") {
    const int window = GENERATE(1, 2, 5, 100);
    Incoming incoming(100);
    std::uint64_t seen = 0;
    for (const auto piece : lapwing::stream<double>(incoming.source(), plan_for(100, 10, window))) {
        const auto ahead =
            std::min<std::uint64_t>(10 - seen - 1, static_cast<std::uint64_t>(window));
        CHECK(incoming.transport.under_way == ahead);
        CHECK(piece.data.size() == 10);
        ++seen;
    }
    CHECK(incoming.transport.most_under_way ==
          std::min<std::size_t>(10, static_cast<std::size_t>(window)));
}

TEST_CASE("a stream left early receives what is left", "[pipeline]") {
    const int leave_after = GENERATE(0, 1, 3, 9);
    Incoming incoming(100);
    {
        int seen = 0;
        for (const auto piece : lapwing::stream<double>(incoming.source(), plan_for(100, 10, 3))) {
            CHECK(piece.first == static_cast<std::uint64_t>(seen) * 10);
            if (seen++ == leave_after) break;
        }
    }
    CHECK(incoming.transport.under_way == 0);
    CHECK(incoming.transport.most_under_way <= 3);
    CHECK(incoming.complete());
}

TEST_CASE("a stream never begun is received all the same", "[pipeline]") {
    Incoming incoming(100);
    { const auto unused = lapwing::stream<double>(incoming.source(), plan_for(100, 10, 3)); }
    CHECK(incoming.complete());
}

TEST_CASE("an exception out of the loop body leaves nothing in flight", "[pipeline]") {
    Incoming incoming(100);
    const auto run = [&] {
        for (const auto piece : lapwing::stream<double>(incoming.source(), plan_for(100, 10, 4)))
            if (piece.first == 30) throw std::runtime_error("enough");
    };
    CHECK_THROWS_WITH(run(), "enough");
    CHECK(incoming.transport.under_way == 0);
    CHECK(incoming.complete());
}

TEST_CASE("a plan that does not fit the data is refused before anything moves", "[pipeline]") {
    Incoming incoming(100);
    CHECK_THROWS_AS(lapwing::stream<double>(incoming.source(), plan_for(99, 10, 2)),
                    std::invalid_argument);
    CHECK_THROWS_AS(lapwing::stream<double>(incoming.source(), plan_for(101, 10, 2)),
                    std::invalid_argument);
    Plan plan = plan_for(100, 10, 2);
    plan.messages = Messages::uniform(plan.messages.volume(), plan.messages.volume(), 4);
    CHECK_THROWS_AS(lapwing::stream<double>(incoming.source(), plan), std::invalid_argument);
    CHECK(incoming.transport.sizes.empty());
}

TEST_CASE("elements of any size", "[pipeline]") {
    struct Row {
        double values[3];
    };
    std::vector<Row> rows(50);
    std::vector<std::byte> raw(sizeof(Row) * 50, std::byte{7});
    StubTransport transport({}, raw);
    Plan plan;
    plan.messages = Messages::uniform(raw.size(), 7 * sizeof(Row), sizeof(Row));
    plan.window = 2;
    std::size_t seen = 0;
    for (const auto piece : lapwing::stream<Row>(Source{transport, 0, std::span<Row>(rows)}, plan))
        seen += piece.data.size();
    CHECK(seen == 50);
    CHECK(std::memcmp(rows.data(), raw.data(), raw.size()) == 0);
}

TEST_CASE("a stream lets the transport progress when polled", "[pipeline]") {
    Incoming incoming(100);
    for (const auto piece : lapwing::stream<double>(incoming.source(), plan_for(100, 10, 2))) {
        (void)piece;
        lapwing::poll();
    }
    CHECK(incoming.transport.tests == 0);

    // Ten messages. While a piece is consumed, except the last, a message is under way, and a poll
    // ends with a test of one that is not complete.
    constexpr std::size_t polls = 9;
    // Where a message takes less time than an initiation, and the window holds two, a poll finds
    // all of them complete, except the first, which is awaited, and the last, behind which none is
    // initiated.
    constexpr std::size_t found = 8;
    const int window = GENERATE(1, 2, 3);
    const bool slow = GENERATE(true, false);
    Incoming polled(100, slow ? StubCosts{.per_byte = 50e-9} : StubCosts{.latency = 0});
    Plan plan = plan_for(100, 10, window);
    plan.poll_interval = 1e-9;
    for (const auto piece : lapwing::stream<double>(polled.source(), plan)) {
        (void)piece;
        const auto start = lapwing::Poller::Clock::now();
        while (lapwing::Poller::Clock::now() - start < std::chrono::microseconds(10)) {
        }
        lapwing::poll();
    }
    CHECK(polled.transport.tests == polls + (slow || window == 1 ? 0 : found));
    CHECK(polled.complete());
}
