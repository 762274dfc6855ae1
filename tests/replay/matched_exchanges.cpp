#include "lapwing/replay/matched_exchanges.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "lapwing/replay/overlapped_records.hpp"
#include "lapwing/replay/replay.hpp"
#include "replay/random_exchanges.hpp"
#include "replay/random_program.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Kind;
using replay::Overlap;
using tests::RecordedProgram;
using Side = replay::Overlap::Side;

namespace {

using Overlaps = std::map<std::uint32_t, Overlap>;

/// Sites that all ranks number alike, some of them overlapped.
replay::Options overlapping(std::size_t ranks, const Overlaps& overlaps) {
    const std::vector<std::uint32_t> all{0, 1, 2, 3};
    return {.sites = {.count = 4, .of_ranks = std::vector<std::vector<std::uint32_t>>(ranks, all)},
            .overlaps = overlaps};
}

/// Bytes of the messages that a rank sends, and of those that it has room for.
struct Messages {
    std::vector<std::uint64_t> sent{};
    std::vector<std::uint64_t> received{};
};
Messages messages(const record::Recording& recording, std::size_t rank, const Overlaps& overlaps) {
    const auto options = overlapping(recording.ranks(), overlaps);
    replay::MatchedExchanges exchanges(recording, options);
    replay::OverlappedRecords records(exchanges, rank);
    Messages found;
    for (record::Record record; records.next(record);) {
        if (record::sends(record.kind)) found.sent.push_back(record.sent.bytes);
        if (record::receives(record.kind)) found.received.push_back(record.received.bytes);
    }
    return found;
}

/// The program ends, and what it computes does not change.
void check_whole(const record::Recording& recording, const Overlaps& overlaps) {
    const auto plain = replay::replay(recording, tests::few_costs, {});
    const auto cut =
        replay::replay(recording, tests::few_costs, overlapping(recording.ranks(), overlaps));
    CHECK(cut.computed == Approx(plain.computed));
    CHECK(cut.recorded == Approx(plain.recorded));
}

void send(RecordedProgram& program, std::size_t rank, std::uint64_t site, std::int64_t to,
          std::uint64_t computed = 0) {
    program.add(rank, {.kind = Kind::send,
                       .computed = computed,
                       .site = site,
                       .sent = {.peer = to, .tag = 0, .bytes = 1000}});
}
void receive(RecordedProgram& program, std::size_t rank, std::uint64_t site, std::int64_t from,
             std::uint64_t computed = 0) {
    program.add(rank, {.kind = Kind::receive,
                       .computed = computed,
                       .site = site,
                       .received = {.peer = from, .tag = 0, .bytes = 1000}});
}

using Bytes = std::vector<std::uint64_t>;
const Bytes uncut{1000};
const Bytes quarters(4, 250);

}  // namespace

TEST_CASE("matched exchanges: a message is cut if both its ends are overlapped") {
    RecordedProgram program(2);
    send(program, 0, 1, 1);
    receive(program, 1, 2, 0);
    const auto recording = program.recording();
    const Overlap in_four{.side = Side::before, .pieces = 4};
    const Overlap in_eight{.side = Side::after, .pieces = 8};
    CHECK(messages(recording, 0, {{1, in_four}, {2, in_eight}}).sent == quarters);
    CHECK(messages(recording, 1, {{1, in_four}, {2, in_eight}}).received == quarters);
    CHECK(messages(recording, 0, {{1, in_eight}, {2, in_four}}).sent == quarters);
    for (const std::uint32_t site : {1U, 2U}) {
        CHECK(messages(recording, 0, {{site, in_four}}).sent == uncut);
        CHECK(messages(recording, 1, {{site, in_four}}).received == uncut);
        check_whole(recording, {{site, in_four}});
    }
    check_whole(recording, {{1, in_four}, {2, in_eight}});
}

TEST_CASE("matched exchanges: messages of a channel are told apart by their order") {
    RecordedProgram program(2);
    for (const std::uint64_t site : {1U, 2U, 1U}) {
        send(program, 0, site, 1, 9000000);
        receive(program, 1, site, 0, 9000000);
    }
    const auto recording = program.recording();
    const Overlaps second{{2, {.side = Side::before, .pieces = 4}}};
    const Bytes expected{1000, 250, 250, 250, 250, 1000};
    CHECK(messages(recording, 0, second).sent == expected);
    CHECK(messages(recording, 1, second).received == expected);
    check_whole(recording, second);
}

TEST_CASE("matched exchanges: a receive belongs to the exchange that waits for it") {
    RecordedProgram program(2);
    const std::array<std::uint64_t, 1> request{0};
    program.add(
        0,
        {.kind = Kind::start_receive, .site = 1, .received = {.peer = 1, .tag = 0, .bytes = 1000}});
    program.add(0, {.kind = Kind::collective, .site = 3});
    program.add(0, {.kind = Kind::wait, .computed = 5000, .site = 2, .requests = request});
    program.add(1, {.kind = Kind::collective, .site = 3});
    send(program, 1, 2, 0, 5000);
    const auto recording = program.recording();
    const Overlap in_four{.side = Side::before, .pieces = 4};
    CHECK(messages(recording, 0, {{2, in_four}}).received == quarters);
    CHECK(messages(recording, 1, {{2, in_four}}).sent == quarters);
    CHECK(messages(recording, 0, {{1, in_four}}).received == uncut);
    check_whole(recording, {{2, in_four}});
    check_whole(recording, {{1, in_four}});
}

TEST_CASE("matched exchanges: what a receive from any source may take is uncut") {
    RecordedProgram program(3);
    for (const std::size_t rank : {1U, 2U})
        for (int i = 0; i < 2; ++i) send(program, rank, 1, 0);
    receive(program, 0, 1, 1);  // takes the first message of rank 1 in any case
    for (int i = 0; i < 3; ++i) receive(program, 0, 1, record::any);
    const auto recording = program.recording();
    const Overlaps all{{1, {.side = Side::before, .pieces = 4}}};
    CHECK(messages(recording, 1, all).sent == Bytes{250, 250, 250, 250, 1000});
    CHECK(messages(recording, 2, all).sent == Bytes{1000, 1000});
    CHECK(messages(recording, 0, all).received == Bytes{250, 250, 250, 250, 1000, 1000, 1000});
    check_whole(recording, all);
}

TEST_CASE("matched exchanges: what is received much later is uncut, at both ends") {
    RecordedProgram program(2);
    send(program, 0, 1, 1);
    for (int i = 0; i < 5000; ++i) program.add(1, {.kind = Kind::other, .computed = 10});
    receive(program, 1, 1, 0);
    const auto recording = program.recording();
    const auto options = overlapping(2, {{1, {.side = Side::after, .pieces = 4}}});
    replay::MatchedExchanges exchanges(recording, options);
    replay::Exchange exchange;
    REQUIRE(exchanges.next(0, exchange));
    CHECK(exchange.pieces_of(0).sent == 1);
    while (exchanges.next(1, exchange)) continue;
    CHECK(exchange.pieces_of(0).received == 1);
    CHECK(exchanges.records(1) == 5001);
}

TEST_CASE("matched exchanges: random programs end, however they are cut") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const auto rounds = tests::random_exchanges(seed, 3).recording();
        const auto late = tests::random_program(seed, false).recorded.recording();
        for (const Side side : {Side::before, Side::after}) {
            INFO("seed " << seed);
            const Overlap in_three{.side = side, .pieces = 3};
            const Overlap in_five{.side = side, .pieces = 5};
            check_whole(rounds, {{0, in_three}, {1, in_five}});
            check_whole(late, {{0, in_three}});
        }
    }
}
