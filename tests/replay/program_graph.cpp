#include "lapwing/replay/program_graph.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lapwing/io/goal.hpp"
#include "lapwing/replay/replay.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "replay/random_program.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using Catch::Matchers::Contains;
using tests::RecordedProgram;

namespace {

/// When the ranks of a recording end that is exported as GOAL text and simulated.
std::vector<simulate::Time> exported_ends(const record::Recording& recording,
                                          const simulate::LogGOPS& machine,
                                          const replay::Options& options = {}) {
    const std::string text = to_goal(replay::program_graph(recording, options));
    return simulate::simulate(goal_from_text(text), machine).rank_finish;
}
std::vector<simulate::Time> replayed_ends(const record::Recording& recording,
                                          const simulate::LogGOPS& machine,
                                          const replay::Options& options = {}) {
    return replay::replay(recording, machine, options).result.rank_finish;
}

/// A program that computes, sends round a ring and does collectives, blocking and not, of all ranks
/// and of those of one parity.
RecordedProgram program_with_collectives(unsigned seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](std::uint64_t most) { return random() % (most + 1); };
    const std::uint64_t ranks = 2 + up_to(9);
    struct Round {
        bool collective, starts, parity;
        record::Collective which;
        std::uint64_t root, bytes;
    };
    constexpr record::Collective kinds[] = {
        record::Collective::barrier,   record::Collective::bcast,
        record::Collective::reduce,    record::Collective::allreduce,
        record::Collective::gather,    record::Collective::scatter,
        record::Collective::allgather, record::Collective::alltoall,
        record::Collective::scan,      record::Collective::reduce_scatter_block};
    std::vector<Round> rounds(1 + up_to(6));
    for (Round& round : rounds)
        round = {.collective = up_to(2) > 0,
                 .starts = up_to(2) == 0,
                 .parity = ranks > 3 && up_to(1) == 0,
                 .which = kinds[up_to(std::size(kinds) - 1)],
                 .root = up_to(1),
                 .bytes = std::uint64_t{1} << up_to(17)};
    RecordedProgram program(ranks);
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const std::uint64_t parity = rank % 2;
        const record::Run members{.first = parity, .stride = 2, .count = (ranks + 1 - parity) / 2};
        program.add(rank, {.kind = record::Kind::communicator,
                           .communicator = 1,
                           .context = 77 + parity,
                           .members = std::span(&members, 1)});
        for (const Round& round : rounds) {
            const auto computed = up_to(30000);
            constexpr std::uint64_t request = 0;
            if (!round.collective) {
                program.add(
                    rank, {.kind = record::Kind::send_receive,
                           .computed = computed,
                           .sent = {static_cast<std::int64_t>((rank + 1) % ranks), 3, round.bytes},
                           .received = {static_cast<std::int64_t>((rank + ranks - 1) % ranks), 3,
                                        1 << 20}});
                continue;
            }
            record::Record record{.kind = record::Kind::collective,
                                  .computed = computed,
                                  .communicator = round.parity ? 1U : 0U,
                                  .collective = round.which,
                                  .root = round.root,
                                  .bytes = round.bytes};
            if (round.starts) record.kind = record::Kind::start_collective;
            program.add(rank, record);
            if (round.starts)
                program.add(rank, {.kind = record::Kind::wait,
                                   .computed = up_to(30000),
                                   .requests = std::span(&request, 1)});
        }
        program.add(rank, {.kind = record::Kind::finish, .computed = 1 + up_to(100)});
    }
    return program;
}

}  // namespace

TEST_CASE("exported: messages take what they take when they are replayed", "[replay]") {
    for (unsigned seed = 0; seed < 300; ++seed) {
        INFO("seed " << seed);
        const auto recording = tests::random_program(seed, false).recorded.recording();
        const simulate::LogGOPS machine{.S = 1 << 12};
        CHECK(exported_ends(recording, machine) == replayed_ends(recording, machine));
    }
}

TEST_CASE("exported: collectives take what they take when they are replayed", "[replay]") {
    for (const char* library : {"openmpi", "mpich"})
        for (unsigned seed = 0; seed < 300; ++seed) {
            INFO(library << ", seed " << seed);
            const auto recording = program_with_collectives(seed).recording();
            const simulate::LogGOPS machine{.S = std::uint64_t{1} << (seed % 3 * 8)};
            const replay::Options options{.library = library, .computation = 0.5};
            CHECK(exported_ends(recording, machine, options) ==
                  replayed_ends(recording, machine, options));
        }
}

TEST_CASE("exported: messages keep their tags, receives get the sizes of messages", "[replay]") {
    RecordedProgram program(2);
    program.add(0, {.kind = record::Kind::send, .computed = 5, .sent = {1, 9, 100}});
    program.add(1, {.kind = record::Kind::receive, .received = {0, 9, 4096}});
    for (const std::uint64_t rank : {0U, 1U}) {
        program.add(rank, {.kind = record::Kind::collective,
                           .collective = record::Collective::bcast,
                           .bytes = 64});
        program.add(rank, {.kind = record::Kind::finish});
    }
    CHECK(to_goal(replay::program_graph(program.recording(), {})) ==
          "num_ranks 2\n\nrank 0 {\nl1: calc 5\nl2: send 100b to 1 tag 9\n"
          "l3: send 64b to 1 tag 2147483648\nl2 requires l1\nl3 irequires l2\nl3 requires l2\n}\n\n"
          "rank 1 {\nl1: recv 100b from 0 tag 9\nl2: recv 64b from 0 tag 2147483648\n"
          "l2 irequires l1\nl2 requires l1\n}\n");
}

TEST_CASE("exported: a receive of any tag must not take another communicator's", "[replay]") {
    RecordedProgram program(2);
    const std::uint64_t request = 0;
    program.add(0, {.kind = record::Kind::start_receive, .received = {1, record::any, 8}});
    program.add(1, {.kind = record::Kind::send, .sent = {0, 4, 8}});
    program.add(0, {.kind = record::Kind::wait, .requests = std::span(&request, 1)});
    CHECK_THAT(to_goal(replay::program_graph(program.recording(), {})),
               Contains("recv 8b from 1 tag -1\n"));
    for (const std::uint64_t rank : {0U, 1U})
        program.add(rank,
                    {.kind = record::Kind::collective, .collective = record::Collective::barrier});
    CHECK_THROWS_WITH(replay::program_graph(program.recording(), {}),
                      Contains("rank 0 receives messages of any tag"));
}
