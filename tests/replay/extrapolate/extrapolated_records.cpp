#include "lapwing/replay/extrapolate/extrapolated_records.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/io/profile_json.hpp"
#include "lapwing/replay/replay.hpp"
#include "replay/extrapolate/grid_program.hpp"
#include "support/sanitized.hpp"

using namespace lapwing;
using Catch::Matchers::Contains;
using record::Collective;
using record::Kind;
using tests::GridProgram;
using tests::RecordedProgram;

namespace {

using Place = GridProgram::Place;

const std::vector<Place> star1{{-1, 0, 0}, {1, 0, 0}};
const std::vector<Place> far1{{-1, 0, 0}, {1, 0, 0}, {-2, 0, 0}, {2, 0, 0}};
const std::vector<Place> star2{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
const std::vector<Place> box2{{-1, 0, 0},  {1, 0, 0}, {0, -1, 0}, {0, 1, 0},
                              {-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}};
const std::vector<Place> star3{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

struct Case {
    GridProgram program;
    Place grown;
};

const std::vector<Case> cases = {
    {{.sizes = {3, 1, 1}, .neighbours = star1}, {12, 1, 1}},
    {{.sizes = {5, 1, 1}, .neighbours = star1, .period = {3, 1, 1}}, {10, 1, 1}},
    {{.sizes = {4, 1, 1}, .periodic = {true}, .neighbours = star1, .period = {4, 1, 1}},
     {16, 1, 1}},
    {{.sizes = {5, 1, 1}, .neighbours = far1, .border = {2, 1, 1}}, {15, 1, 1}},
    {{.sizes = {6, 1, 1}, .neighbours = far1, .border = {2, 1, 1}, .period = {2, 1, 1}},
     {12, 1, 1}},
    {{.sizes = {6, 1, 1}, .periodic = {true}, .neighbours = far1}, {12, 1, 1}},
    {{.sizes = {3, 3, 1}, .neighbours = star2}, {6, 6, 1}},
    {{.sizes = {4, 4, 1}, .neighbours = star2, .period = {2, 2, 1}}, {8, 8, 1}},
    {{.sizes = {4, 3, 1}, .neighbours = star2, .period = {2, 1, 1}}, {4, 6, 1}},
    {{.sizes = {4, 4, 1}, .neighbours = box2}, {8, 8, 1}},
    {{.sizes = {4, 4, 1}, .periodic = {true, true}, .neighbours = box2}, {8, 8, 1}},
    {{.sizes = {3, 4, 1}, .periodic = {false, true}, .neighbours = star2}, {9, 4, 1}},
    {{.sizes = {4, 4, 1}, .periodic = {true, true}, .neighbours = star2}, {12, 8, 1}},
    {{.sizes = {3, 3, 3}, .neighbours = star3}, {6, 6, 6}},
    {{.sizes = {4, 3, 3}, .neighbours = star3, .period = {2, 1, 1}}, {4, 6, 3}},
    {{.sizes = {4, 3, 5}, .periodic = {true, false, true}, .neighbours = star3}, {4, 6, 5}}};

std::uint64_t ranks(const Place& sizes) {
    return static_cast<std::uint64_t>(sizes[0] * sizes[1] * sizes[2]);
}

/// Why a recording is not played with so many ranks.
std::string refused(const RecordedProgram& program, std::uint64_t ranks) {
    const auto recording = program.recording();
    try {
        (void)replay::replay(recording, simulate::LogGOPS{}, {.ranks = ranks});
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("extrapolate: a program takes what it takes if it is written for more ranks") {
    const simulate::LogGOPS loggops{.S = 1 << 12};
    const simulate::MeasuredMachine measured(load_profile(LAPWING_TEST_DATA "/profiles/full.json"),
                                             4);
    for (const bool collectives : {false, true})
        for (Case each : cases) {
            if (test::sanitized && ranks(each.grown) > 80) continue;
            GridProgram& program = each.program;
            program.collectives = collectives;
            const std::uint64_t times = ranks(each.grown) / ranks(program.sizes);
            program.all_to_all = 64 * ranks(each.grown) * times;
            const auto recorded = program.recorded().recording();
            program.sizes = each.grown;
            const auto written = program.recorded().recording();
            const replay::Options options{.ranks = written.ranks()};
            INFO("grid " << each.grown[0] << " " << each.grown[1] << " " << each.grown[2]);
            CHECK(replay::replay(recorded, loggops, options).result.rank_finish ==
                  replay::replay(written, loggops, {}).result.rank_finish);
            // An all-to-all of so many ranks takes seconds on links that share.
            if (written.ranks() > 128) continue;
            CHECK(replay::replay(recorded, measured, options).result.rank_finish ==
                  replay::replay(written, measured, {}).result.rank_finish);
        }
}

TEST_CASE("extrapolate: what was recorded is counted once, what is played for every rank") {
    const GridProgram program{.sizes = {4, 4, 1}, .neighbours = star2};
    const auto recording = program.recorded().recording();
    const simulate::LogGOPS machine{};
    const auto before = replay::replay(recording, machine, {});
    const auto grown = replay::replay(recording, machine, {.computation = 2, .ranks = 64});
    CHECK(grown.recorded == before.recorded);
    CHECK(grown.computed == before.computed);
    CHECK(grown.longest == before.longest);
    GridProgram larger = program;
    larger.sizes = {8, 8, 1};
    const auto written = replay::replay(larger.recorded().recording(), machine, {});
    CHECK(grown.computes == Approx(2 * written.computed));
}

TEST_CASE("extrapolate: as many ranks as were recorded may be irregular") {
    RecordedProgram program = GridProgram{.sizes = {3, 1, 1}, .neighbours = star1}.recorded();
    program.add(0, {.kind = Kind::send, .sent = {.peer = 2}});
    program.add(2, {.kind = Kind::receive, .received = {.peer = 0}});
    CHECK_THAT(refused(program, 6), Contains("it cannot be played with 6 ranks: rank 0, record "));
    CHECK(refused(program, 3).empty());
}

TEST_CASE("extrapolate: numbers of ranks that are no multiple are refused") {
    const auto program = GridProgram{.sizes = {4, 1, 1}, .neighbours = star1}.recorded();
    for (const std::uint64_t ranks : {1, 2, 6})
        CHECK_THAT(refused(program, ranks), Contains("that is no multiple of the recorded 4"));
    const auto alone = GridProgram{.collectives = false}.recorded();
    CHECK_THAT(refused(alone, 4), Contains("one rank alone shows no pattern"));
}

TEST_CASE("extrapolate: two positions show no pattern") {
    for (const bool periodic : {false, true}) {
        const GridProgram program{
            .sizes = {4, 2, 1}, .periodic = {periodic, periodic}, .neighbours = star2};
        const std::string why = refused(program.recorded(), 32);
        CHECK_THAT(why, Contains(periodic ? "in a grid of 4 (periodic) x 2" : "of 4 x 2: its"));
        CHECK_THAT(why, Contains("is 1 away in a dimension of 2, which has to have "));
    }
}

TEST_CASE("extrapolate: messages to all others show no pattern, around a ring either") {
    for (const int ranks : {2, 3, 5}) {
        GridProgram program{.sizes = {ranks, 1, 1}, .periodic = {true}};
        for (int distance = 1; 2 * distance <= ranks; ++distance)
            for (const int each : {-distance, distance}) program.neighbours.push_back({each, 0, 0});
        CHECK_THAT(refused(program.recorded(), 30),
                   Contains("rank 0, record") && Contains("each rank has all others as partners"));
    }
}

TEST_CASE("extrapolate: a rank that communicates unlike those that stand alike is refused") {
    const GridProgram grid{
        .sizes = {4, 4, 1}, .neighbours = star2, .period = {2, 2, 1}, .collectives = false};
    const auto swap = [&](std::size_t one, std::size_t other, std::int64_t tag) {
        RecordedProgram program = grid.recorded();
        program.add(one, {.kind = Kind::send,
                          .sent = {.peer = static_cast<std::int64_t>(other), .tag = tag}});
        program.add(other, {.kind = Kind::receive,
                            .received = {.peer = static_cast<std::int64_t>(one), .tag = tag}});
        return program;
    };
    CHECK_THAT(refused(swap(5, 6, 1), 64), Contains("in a grid of 4 x 4"));
    CHECK_THAT(refused(swap(5, 6, 1), 64), Contains("rank 6, record 30"));
    CHECK_THAT(refused(swap(5, 6, 1), 64), Contains("it is another call"));
    CHECK_THAT(refused(swap(1, 0, 1), 64), Contains("communicates less often"));

    RecordedProgram tagged = grid.recorded();
    for (std::size_t rank = 0; rank < 16; ++rank)
        tagged.add(rank, {.kind = Kind::send_receive,
                          .sent = {.peer = static_cast<std::int64_t>(rank),
                                   .tag = static_cast<std::int64_t>(rank)},
                          .received = {.peer = static_cast<std::int64_t>(rank),
                                       .tag = static_cast<std::int64_t>(rank)}});
    CHECK_THAT(refused(tagged, 64), Contains("its tag, 2, is another than in record "));

    RecordedProgram apart = grid.recorded();
    for (std::size_t rank = 0; rank < 16; ++rank) {
        const auto peer = static_cast<std::int64_t>(rank % 4 == 2 ? rank - 1 : rank + 1);
        if (rank % 4 == 1 || rank % 4 == 2)
            apart.add(rank, {.kind = Kind::send_receive,
                             .sent = {.peer = peer, .tag = 9},
                             .received = {.peer = peer, .tag = 9}});
    }
    CHECK_THAT(refused(apart, 64), Contains("its partner is at another distance than in "));
}

TEST_CASE("extrapolate: butterflies, other roots, other groups and sparse blocks are refused") {
    RecordedProgram butterfly(8);
    for (std::size_t rank = 0; rank < 8; ++rank)
        for (const std::size_t step : {1U, 2U, 4U}) {
            const auto peer = static_cast<std::int64_t>(rank ^ step);
            butterfly.add(
                rank,
                {.kind = Kind::send_receive, .sent = {.peer = peer}, .received = {.peer = peer}});
        }
    CHECK_THAT(refused(butterfly, 32), Contains("rank 0, record 1"));

    const auto collective = [&](const record::Record& record) {
        RecordedProgram program(6);
        for (std::size_t rank = 0; rank < 6; ++rank) program.add(rank, record);
        return program;
    };
    CHECK_THAT(
        refused(collective({.kind = Kind::collective, .collective = Collective::bcast, .root = 5}),
                12),
        Contains("rank 0, record 1, in a grid of 6: its root is rank 5"));
    const std::array<std::uint64_t, 6> blocks{8, 0, 8, 8, 8, 8};
    CHECK_THAT(refused(collective({.kind = Kind::start_collective,
                                   .collective = Collective::alltoallv,
                                   .blocks = blocks}),
                       12),
               Contains("sends nothing to some ranks"));

    RecordedProgram groups(6);
    for (std::size_t rank = 0; rank < 6; ++rank) {
        const std::array<record::Run, 1> members{
            {{.first = rank < 4 ? 0U : 4U, .count = rank < 4 ? 4U : 2U}}};
        groups.add(rank, {.kind = Kind::communicator, .communicator = 1, .members = members});
    }
    CHECK_THAT(refused(groups, 12), Contains("its communicator is no row, column or plane"));
}

TEST_CASE("extrapolate: exchanges are not overlapped at once") {
    const auto recording =
        GridProgram{.sizes = {3, 1, 1}, .neighbours = star1}.recorded().recording();
    const replay::Options options{.ranks = 6, .overlaps = {{0, {}}}};
    CHECK_THROWS_WITH(replay::replay(recording, simulate::LogGOPS{}, options),
                      Contains("are not overlapped"));
}

TEST_CASE("extrapolate: an all-to-all of single numbers stays one") {
    RecordedProgram program(4);
    RecordedProgram larger(16);
    for (auto* const each : {&program, &larger})
        for (std::size_t rank = 0; rank < each->ranks(); ++rank)
            each->add(rank, {.kind = Kind::collective,
                             .collective = Collective::alltoall,
                             .bytes = each == &program ? 24U : 8U});
    const simulate::LogGOPS machine{.G = 100};
    CHECK(replay::replay(program.recording(), machine, {.ranks = 16}).result.rank_finish ==
          replay::replay(larger.recording(), machine, {}).result.rank_finish);
}
