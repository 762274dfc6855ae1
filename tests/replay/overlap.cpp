#include "lapwing/replay/overlap.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/replay/exchange_sites.hpp"
#include "lapwing/replay/overlapped_records.hpp"
#include "lapwing/replay/replay.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "replay/random_exchanges.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Collective;
using record::Kind;
using replay::Overlap;
using tests::RecordedProgram;
using Side = replay::Overlap::Side;

namespace {

/// Sites that all ranks number alike, one of them overlapped.
replay::Options overlapping(std::size_t ranks, std::uint32_t site, const Overlap& how) {
    const std::vector<std::uint32_t> all{0, 1, 2, 3};
    return {.sites = {.count = 4, .of_ranks = std::vector<std::vector<std::uint32_t>>(ranks, all)},
            .overlaps = {{site, how}}};
}

/// A message takes 500 ns to send, 4000 under way, and 500 to receive.
constexpr simulate::LogGOPS latency_alone{.L = 4000, .o = 500, .g = 0, .G = 0, .O = 0, .S = 10000};

/// Nanoseconds that a program takes there.
std::uint64_t time_of(const record::Recording& recording, const replay::Options& options) {
    return replay::replay(recording, latency_alone, options).result.finish;
}

/// Two ranks swap messages of site 1, `computed` nanoseconds before and after, `rounds` times.
RecordedProgram swaps(std::uint64_t computed, int rounds, std::uint64_t bytes) {
    RecordedProgram program(2);
    const std::array<std::uint64_t, 2> requests{0, 1};
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const auto other = static_cast<std::int64_t>(1 - rank);
        for (int i = 0; i < rounds; ++i) {
            program.add(rank, {.kind = Kind::start_receive,
                               .computed = computed,
                               .site = 1,
                               .received = {other, 0, bytes},
                               .request = 0});
            program.add(
                rank,
                {.kind = Kind::start_send, .site = 2, .sent = {other, 0, bytes}, .request = 1});
            program.add(rank, {.kind = Kind::wait, .site = 3, .requests = requests});
        }
        program.add(rank, {.kind = Kind::finish, .computed = computed});
    }
    return program;
}

/// Records of a rank as they are read.
std::vector<record::Record> read(const record::Recording& recording, std::size_t rank,
                                 const replay::Options& options) {
    replay::MatchedExchanges exchanges(recording, options);
    replay::OverlappedRecords records(exchanges, rank);
    std::vector<record::Record> all;
    record::Record record;
    while (records.next(record)) {
        all.push_back(record);
        all.back().requests = {};  // they are there until the next call
        all.back().blocks = {};
    }
    return all;
}

}  // namespace

TEST_CASE("overlap: messages hide behind the computation after them, or before") {
    const auto recording = swaps(10000, 1, 1001).recording();
    const std::uint64_t blocking = 10000 + 500 + 4000 + 500 + 10000;
    CHECK(time_of(recording, {}) == blocking);
    for (const Side side : {Side::after, Side::before})
        CHECK(time_of(recording, overlapping(2, 1, {.side = side})) == blocking - 4000);
    // No more hides than is computed.
    const auto little = swaps(1000, 1, 1001).recording();
    CHECK(time_of(little, overlapping(2, 1, {.side = Side::after})) == 500 + 4000 + 500 + 1000);
    // Another site begins no exchange.
    CHECK(time_of(recording, overlapping(2, 2, {.side = Side::after})) == blocking);
}

TEST_CASE("overlap: two exchanges share what is computed between them") {
    const auto recording = swaps(6000, 2, 1001).recording();
    const auto options = overlapping(2, 1, {.side = Side::before});
    const auto records = read(recording, 0, options);
    // Each hides behind all that comes before it.
    REQUIRE(records.size() == 7);
    CHECK(records[0].computed == 0);
    CHECK(records[2].kind == Kind::wait);
    CHECK(records[2].computed == 6000);
    CHECK(records[5].computed == 6000);
    CHECK(records[6].computed == 6000);
    // Where both sides are wanted, each has half.
    RecordedProgram program(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        for (int i = 0; i < 2; ++i)
            program.add(rank, {.kind = Kind::collective,
                               .computed = 8000,
                               .site = 1,
                               .collective = Collective::alltoall,
                               .bytes = 4000});
        program.add(rank, {.kind = Kind::finish, .computed = 8000});
    }
    const auto collectives = program.recording();
    const auto both =
        read(collectives, 0, overlapping(2, 1, {.side = Side::both, .pieces = 2, .window = 2}));
    std::uint64_t computed = 0;
    std::uint64_t bytes = 0;
    for (const auto& record : both) {
        computed += record.computed;
        if (record.kind == Kind::start_collective) bytes += record.bytes;
    }
    CHECK(computed == 3 * 8000);
    CHECK(bytes == 2 * 4000);
    REQUIRE(both.size() == 9);
    CHECK(both[0].computed == 4000);
    CHECK(both[1].computed == 4000);
    CHECK(both[3].computed == 2000);  // half of what is between, in two pieces
}

TEST_CASE("overlap: a collective in pieces, as each is computed or needed") {
    RecordedProgram program(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        program.add(rank, {.kind = Kind::collective,
                           .computed = 20000,
                           .site = 1,
                           .collective = Collective::alltoall,
                           .bytes = 4004});
        program.add(rank, {.kind = Kind::finish, .computed = 20000});
    }
    const auto recording = program.recording();
    const std::uint64_t exchange = time_of(recording, {}) - 40000;
    CHECK(exchange == 500 + 4000 + 500);
    // All pieces but the last are under way beside computation, and received.
    CHECK(time_of(recording, overlapping(2, 1, {.side = Side::before, .pieces = 4})) ==
          40000 + (4 + 3) * 500 + 4000 + 500);
    CHECK(time_of(recording, overlapping(2, 1, {.side = Side::both, .pieces = 4, .window = 2})) ==
          40000 + 8 * 500);
    // Not cut, it has to be complete before anything needs it.
    CHECK(time_of(recording, overlapping(2, 1, {.side = Side::both, .pieces = 1})) ==
          40000 + exchange);
}

TEST_CASE("overlap: messages in pieces, as each is computed or needed") {
    const auto recording = swaps(20000, 1, 4004).recording();
    const auto in_four = [&](Side side) {
        return time_of(recording, overlapping(2, 1, {.side = side, .pieces = 4, .window = 2}));
    };
    // As of collectives: only the last piece is not hidden, or the first one.
    CHECK(in_four(Side::before) == 40000 + (4 + 3) * 500 + 4000 + 500);
    CHECK(in_four(Side::after) == 40000 + 4 * 500 + 4000 - 3 * 500 + 4 * 500);
    CHECK(in_four(Side::both) == 40000 + 8 * 500);
    const auto records = read(recording, 0, overlapping(2, 1, {.side = Side::before, .pieces = 4}));
    // Four receives, four sends, each behind its part of the computation, and a wait for all.
    REQUIRE(records.size() == 13);
    for (std::size_t piece = 0; piece < 4; ++piece) {
        CHECK(records[piece].kind == Kind::start_receive);
        CHECK(records[piece].computed == 0);
        CHECK(records[4 + piece].kind == Kind::start_send);
        CHECK(records[4 + piece].computed == 5000);
        CHECK(records[4 + piece].sent.bytes == 1001);
    }
}

TEST_CASE("overlap: calls that return when they are complete become requests") {
    RecordedProgram program(2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        const auto other = static_cast<std::int64_t>(1 - rank);
        program.add(rank, {.kind = Kind::send_receive,
                           .computed = 500,
                           .duration = 70,
                           .site = 1,
                           .sent = {other, 0, 1001},
                           .received = {other, 0, 1001}});
        program.add(rank, {.kind = Kind::finish, .computed = 9000});
    }
    const auto recording = program.recording();
    const auto options = overlapping(2, 1, {.side = Side::after});
    const auto records = read(recording, 1, options);
    REQUIRE(records.size() == 4);
    CHECK(records[0].kind == Kind::start_receive);
    CHECK(records[0].duration == 70);
    CHECK(records[1].kind == Kind::start_send);
    CHECK(records[2].kind == Kind::wait);
    CHECK(records[2].computed == 9000);
    CHECK(time_of(recording, options) == 500 + 500 + 9000 + 500);
}

TEST_CASE("overlap: without computation beside it nothing changes") {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const auto program = tests::random_exchanges(seed, 3);
        const auto recording = program.recording();
        auto options = overlapping(program.ranks(), 0, {});
        options.computation = 0;
        const auto how = options.overlaps;
        for (const std::uint32_t site : {0U, 1U, 2U}) {
            for (const Side side : {Side::before, Side::after}) {
                INFO("seed " << seed << ", site " << site);
                options.overlaps = {};
                const auto plain = replay::replay(recording, tests::few_costs, options);
                options.overlaps = {{site, {.side = side}}};
                const auto overlapped = replay::replay(recording, tests::few_costs, options);
                CHECK(overlapped.result.finish == plain.result.finish);
                CHECK(overlapped.recorded == Approx(plain.recorded));
                CHECK(overlapped.computed == Approx(plain.computed));
            }
        }
    }
}

TEST_CASE("overlap: the sites at which exchanges begin") {
    const auto recording = swaps(6000, 3, 1001).recording();
    const auto options = overlapping(2, 1, {});
    const auto sites = replay::exchange_sites(recording, options.sites);
    REQUIRE(sites.size() == 1);
    CHECK(sites[0].site == 1);
    CHECK(!sites[0].collective);
    CHECK(sites[0].count == 6);
    CHECK(sites[0].before == 6 * 6000);
    CHECK(sites[0].after == 6 * 6000);
    // Whose site is not known, cannot be named.
    CHECK(replay::exchange_sites(recording, {.count = 4, .of_ranks = {}}).empty());
}
