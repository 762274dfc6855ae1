#include "lapwing/calibrate/statistics/collective_costs.hpp"

#include <catch2/catch.hpp>

using namespace lapwing;

namespace {

Estimate exactly(double seconds) { return {.median = seconds}; }

/// Work that takes 1 ms for a million bytes, and so on.
LocalWorkTimes some_work() {
    return {.bytes = 1'000'000,
            .combine = exactly(1e-3),
            .copy = exactly(0.5e-3),
            .blocks = exactly(3e-6),
            .whole = exactly(1e-6),
            .buffer_bytes = 10'000'000,
            .fresh = exactly(3e-3),
            .kept = exactly(1e-3)};
}

const ExchangeTimes short_message{.size = 8, .alone = exactly(2e-6), .exchange = exactly(3e-6)};
const ExchangeTimes long_message{
    .size = 1'000'000, .alone = exactly(100e-6), .exchange = exactly(151e-6)};

}  // namespace

TEST_CASE("costs of collectives from the times of two ranks", "[calibrate]") {
    const CollectiveCosts costs = collective_costs(some_work(), short_message, long_message, 0);
    CHECK(costs.combine == Approx(1e-9));
    CHECK(costs.copy == Approx(0.5e-9));
    CHECK(costs.pack == Approx(2 * 2e-6));
    CHECK(costs.fresh == Approx(0.2e-9));
    CHECK(costs.exchange == Approx(1e-6));
    CHECK(costs.exchange_per_byte == Approx(50e-12));
    CHECK(costs.skew == 0);
    CHECK(costs.skew_per_doubling == 0);
    CHECK(costs.low == 1);
    CHECK(costs.high == 1);
}

TEST_CASE("where work takes no time, nothing costs anything", "[calibrate]") {
    const ExchangeTimes both_ways{.size = 8, .alone = exactly(2e-6), .exchange = exactly(2e-6)};
    const CollectiveCosts costs = collective_costs({}, both_ways, both_ways, 0);
    for (const double cost : {costs.combine, costs.copy, costs.pack, costs.fresh, costs.exchange,
                              costs.exchange_per_byte})
        CHECK(cost == 0);
}

TEST_CASE("costs are never negative", "[calibrate]") {
    LocalWorkTimes work = some_work();
    work.fresh = exactly(0.5e-3);
    work.blocks = exactly(0.5e-6);
    const ExchangeTimes quicker{.size = 8, .alone = exactly(3e-6), .exchange = exactly(2e-6)};
    const ExchangeTimes long_quicker{
        .size = 1000, .alone = exactly(9e-6), .exchange = exactly(8e-6)};
    const CollectiveCosts costs = collective_costs(work, quicker, long_quicker, 0);
    CHECK(costs.fresh == 0);
    CHECK(costs.pack == 0);
    CHECK(costs.exchange == 0);
    CHECK(costs.exchange_per_byte == 0);
}

TEST_CASE("bytes take no longer for what short messages take longer", "[calibrate]") {
    const ExchangeTimes as_short{
        .size = 1'000'000, .alone = exactly(100e-6), .exchange = exactly(100.5e-6)};
    const CollectiveCosts costs = collective_costs(some_work(), short_message, as_short, 0);
    CHECK(costs.exchange == Approx(1e-6));
    CHECK(costs.exchange_per_byte == 0);
}

TEST_CASE("a burst that an idle link lets pass is no cost of an exchange", "[calibrate]") {
    // At 0.15 ns a byte the million bytes keep the link busy for 150 us, however short a message
    // by itself is.
    const CollectiveCosts costs =
        collective_costs(some_work(), short_message, long_message, 0.15e-9);
    CHECK(costs.exchange_per_byte == 0);
    const CollectiveCosts more =
        collective_costs(some_work(), short_message, long_message, 0.12e-9);
    CHECK(more.exchange_per_byte == Approx(30e-12));
}

TEST_CASE("a late receive takes as much longer as the message is copied", "[calibrate]") {
    const ArrivalTimes shortest{
        .size = 8, .expected = exactly(3e-6), .unexpected = exactly(3.2e-6)};
    const ArrivalTimes longest{
        .size = 4008, .expected = exactly(5e-6), .unexpected = exactly(5.6e-6)};
    CollectiveCosts costs;
    set_unexpected(costs, shortest, longest);
    CHECK(costs.unexpected == Approx(0.2e-6));
    CHECK(costs.unexpected_per_byte == Approx(0.1e-9));
}

TEST_CASE("a late receive that takes no longer costs nothing", "[calibrate]") {
    const auto times = [](std::uint64_t size, double expected, Estimate unexpected) {
        return ArrivalTimes{.size = size, .expected = exactly(expected), .unexpected = unexpected};
    };
    CollectiveCosts costs;
    set_unexpected(costs, times(8, 3e-6, exactly(2e-6)), times(4096, 5e-6, exactly(5e-6)));
    CHECK(costs.unexpected == 0);
    CHECK(costs.unexpected_per_byte == 0);
    // Less than what it is uncertain by.
    const Estimate vague{.median = 3.2e-6, .error = 0.1};
    set_unexpected(costs, times(8, 3e-6, vague), times(4096, 5e-6, exactly(5e-6)));
    CHECK(costs.unexpected == 0);
    // One size alone does not tell what a byte costs.
    set_unexpected(costs, times(8, 3e-6, exactly(4e-6)), times(8, 3e-6, exactly(5e-6)));
    CHECK(costs.unexpected == Approx(1e-6));
    CHECK(costs.unexpected_per_byte == 0);
}

TEST_CASE("the ranks of a node share its memory if they copy slower together", "[calibrate]") {
    // Eight ranks copy a million bytes each in 4 ms, where one takes 1 ms.
    CHECK(node_copy(exactly(1e-3), exactly(4e-3), 8, 1'000'000) == Approx(0.5e-9));
    CHECK(node_copy(exactly(1e-3), exactly(1e-3), 8, 1'000'000) == 0);
    CHECK(node_copy(exactly(1e-3), exactly(0.9e-3), 8, 1'000'000) == 0);
    // A tenth longer, known to a fifth.
    const Estimate roughly{.median = 1.1e-3, .error = 0.2};
    CHECK(node_copy(exactly(1e-3), roughly, 8, 1'000'000) == 0);
    CHECK(node_copy(exactly(1e-3), exactly(4e-3), 1, 1'000'000) == 0);
}
