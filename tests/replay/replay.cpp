#include "lapwing/replay/replay.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lapwing/io/profile_json.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "replay/random_program.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Kind;
using record::Record;
using tests::random_program;
using tests::RandomProgram;
using tests::RecordedProgram;

namespace {

Profile machine() { return load_profile(LAPWING_TEST_DATA "/profiles/full.json"); }

/// A program that does one collective, ranks one after the other a little later.
RecordedProgram collective(record::Collective which, std::uint64_t ranks, std::uint64_t bytes) {
    RecordedProgram program(ranks);
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        program.add(rank, {.kind = Kind::collective, .collective = which, .bytes = bytes});
        program.add(rank, {.kind = Kind::finish});
    }
    return program;
}

const std::vector<std::pair<std::string, record::Collective>> operations = {
    {"barrier", record::Collective::barrier},
    {"bcast", record::Collective::bcast},
    {"reduce", record::Collective::reduce},
    {"allreduce", record::Collective::allreduce},
    {"gather", record::Collective::gather},
    {"scatter", record::Collective::scatter},
    {"allgather", record::Collective::allgather},
    {"alltoall", record::Collective::alltoall},
    {"reduce_scatter", record::Collective::reduce_scatter_block}};

}  // namespace

TEST_CASE("replay: calls take what the graph of the same operations takes") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        const RandomProgram program = random_program(seed, false);
        const simulate::LogGOPS loggops{.S = 1 << 12};
        INFO("seed " << seed);
        const auto replayed = replay::replay(program.recorded.recording(), loggops, {});
        CHECK(replayed.result.rank_finish ==
              simulate::simulate(program.graph, loggops).rank_finish);
    }
}

TEST_CASE("replay: open receives take the message that arrived first") {
    const simulate::LogGOPS loggops{.S = 1 << 12};
    const auto ends = [](const auto& play) {
        try {
            return play().rank_finish;
        } catch (const simulate::Deadlock&) {
            return std::vector<simulate::Time>{};
        }
    };
    int ended = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
        const RandomProgram program = random_program(seed, true);
        INFO("seed " << seed);
        const auto there = ends([&] { return simulate::simulate(program.graph, loggops); });
        CHECK(ends([&] {
                  return replay::replay(program.recorded.recording(), loggops, {}).result;
              }) == there);
        if (!there.empty()) ++ended;
    }
    CHECK(ended > 100);
}

/// Whether a step posts receives of the next one, which are then received while the rank waits for
/// others: calls receive a message when it is waited for.
bool looks_ahead(const simulate::Collective& collective) {
    for (simulate::Rank rank = 0; rank < collective.ranks(); ++rank)
        for (std::uint32_t step = 0; step < collective.steps(rank); ++step)
            if (collective.step(rank, step).ahead) return true;
    return false;
}

TEST_CASE("replay: a collective takes what it takes alone, by each algorithm") {
    const simulate::MeasuredMachine measured(machine(), 1);
    const simulate::LogGOPS loggops{.S = 1 << 12};
    for (const auto& [operation, recorded] : operations)
        for (const auto& algorithm : simulate::collective_algorithms(operation))
            for (const std::uint64_t ranks : {2, 3, 8, 13})
                for (const std::uint64_t bytes : {8, 40000}) {
                    simulate::CollectiveChoice choice;
                    choice.operation = operation;
                    choice.algorithm = algorithm;
                    choice.ranks = static_cast<simulate::Rank>(ranks);
                    choice.size = bytes;
                    const auto alone = simulate::make_collective(choice);
                    const auto program = collective(recorded, ranks, bytes).recording();
                    const replay::Options options{.algorithms = {{operation, algorithm}}};
                    INFO(operation << " " << algorithm << " " << ranks << " " << bytes);
                    // A linear gather's root has all its receives posted, the engine's one by one.
                    const bool other = looks_ahead(*alone) || algorithm == "linear";
                    const double close = other ? 0.25 : 0.02;
                    const auto here = replay::replay(program, measured, options).result.finish;
                    CHECK(static_cast<double>(here) ==
                          Approx(simulate::simulate(*alone, measured).finish).epsilon(close));
                    // There a message may arrive between two sends of a step, and goes first.
                    const auto there = replay::replay(program, loggops, options).result.finish;
                    CHECK(static_cast<double>(there) ==
                          Approx(simulate::simulate(*alone, loggops).finish).epsilon(0.15));
                }
}

TEST_CASE("replay: a communicator's collectives are among its ranks") {
    RecordedProgram program(6);
    for (std::uint64_t rank = 0; rank < 6; ++rank) {
        const std::array<record::Run, 1> odd_or_even{
            {{.first = 4 + rank % 2, .stride = -2, .count = 3}}};
        program.add(rank, {.kind = Kind::communicator,
                           .communicator = 1,
                           .context = 7 + rank % 2,
                           .members = odd_or_even});
        // Rank 0 of each: 4 and 5. The odd ones begin late.
        program.add(rank, {.kind = Kind::collective,
                           .computed = rank % 2 * 1000000,
                           .communicator = 1,
                           .collective = record::Collective::bcast,
                           .bytes = 1});
        program.add(rank, {.kind = Kind::finish});
    }
    const simulate::LogGOPS loggops{};
    const replay::Options options{.algorithms = {{"bcast", "linear"}}};
    const auto finish = replay::replay(program.recording(), loggops, options).result.rank_finish;
    const auto alone = 2 * loggops.o + loggops.L;
    CHECK(finish == std::vector<simulate::Time>{alone + loggops.o, 1000000 + alone + loggops.o,
                                                alone, 1000000 + alone, 2 * loggops.o,
                                                1000000 + 2 * loggops.o});
}

TEST_CASE("replay: blocks of different sizes go at once") {
    const std::vector<std::vector<std::uint64_t>> blocks{{0, 100, 1}, {1000, 0, 10}, {1, 1, 0}};
    RecordedProgram program(3);
    for (std::uint64_t rank = 0; rank < 3; ++rank) {
        program.add(rank, {.kind = Kind::start_collective,
                           .request = 0,
                           .collective = record::Collective::alltoallv,
                           .blocks = blocks[rank]});
        const std::array<std::uint64_t, 1> request{0};
        program.add(rank, {.kind = Kind::wait, .computed = 1000000, .requests = request});
        program.add(rank, {.kind = Kind::finish});
    }
    const simulate::LogGOPS loggops{.o = 10};
    const auto replayed = replay::replay(program.recording(), loggops, {});
    CHECK(replayed.result.messages == 6);
    // The computation hides all of it but the overheads.
    CHECK(replayed.result.finish > 1000000);
    CHECK(replayed.result.finish < 1020000);
}

TEST_CASE("replay: ranks that make a communicator agree on it") {
    constexpr std::size_t ranks = 4;
    const auto takes = [&](const std::string& library, const std::vector<record::Record>& calls) {
        RecordedProgram program(ranks);
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            for (const record::Record& call : calls) program.add(rank, call);
            program.add(rank, {.kind = Kind::finish});
        }
        const replay::Options options{.library = library};
        return replay::replay(program.recording(), simulate::LogGOPS{}, options).result.finish;
    };
    const record::Record makes{.kind = Kind::collective,
                               .collective = record::Collective::create_communicator};
    const auto sums = [](std::uint64_t bytes) {
        return record::Record{
            .kind = Kind::collective, .collective = record::Collective::allreduce, .bytes = bytes};
    };
    const record::Record tells{
        .kind = Kind::collective, .collective = record::Collective::bcast, .bytes = 4};
    CHECK(takes("openmpi", {makes}) == takes("openmpi", {sums(4), sums(4), sums(4)}));
    CHECK(takes("mpich", {makes}) == takes("mpich", {sums(260)}));
    CHECK(takes("simgrid", {makes}) == takes("simgrid", {tells}));
    // Where it is split, they tell each other their colors and keys before.
    record::Record splits = makes;
    splits.bytes = 8;
    const auto of_eight = [](record::Collective collective) {
        return record::Record{.kind = Kind::collective, .collective = collective, .bytes = 8};
    };
    CHECK(takes("openmpi", {splits}) ==
          takes("openmpi", {of_eight(record::Collective::allgather), makes}));
    CHECK(takes("mpich", {splits}) ==
          takes("mpich", {of_eight(record::Collective::allgather), makes}));
    CHECK(takes("simgrid", {splits}) ==
          takes("simgrid", {of_eight(record::Collective::gather),
                            of_eight(record::Collective::scatter), makes}));
}

TEST_CASE("replay: SimGrid's non-blocking sums send to a rank and receive from it in turn") {
    constexpr std::uint64_t ranks = 6;
    constexpr std::uint64_t bytes = 20000;
    RecordedProgram sums(ranks);
    RecordedProgram messages(ranks);
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        sums.add(rank, {.kind = Kind::start_collective,
                        .request = 0,
                        .collective = record::Collective::allreduce,
                        .bytes = bytes});
        std::vector<std::uint64_t> requests;
        const auto start = [&](record::Record call) {
            call.request = requests.size();
            requests.push_back(call.request);
            messages.add(rank, call);
        };
        for (std::uint64_t other = 0; other < ranks; ++other) {
            if (other == rank) continue;
            const record::Message end{static_cast<std::int64_t>(other), 0, bytes};
            start({.kind = Kind::start_send, .sent = end});
            start({.kind = Kind::start_receive, .received = end});
        }
        sums.add(rank, {.kind = Kind::wait, .requests = std::span(requests).first(1)});
        messages.add(rank, {.kind = Kind::wait, .requests = requests});
        for (RecordedProgram* program : {&sums, &messages})
            program->add(rank, {.kind = Kind::finish});
    }
    const auto takes = [](const RecordedProgram& program) {
        const simulate::LogGOPS machine{.S = 1000};
        return replay::replay(program.recording(), machine, {.library = "simgrid"}).result.finish;
    };
    CHECK(takes(sums) == takes(messages));
}
