#include "lapwing/replay/replay.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "lapwing/io/profile_json.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "replay/recorded_program.hpp"

using namespace lapwing;
using record::Kind;
using record::Record;
using tests::RecordedProgram;

namespace {

Profile machine() { return load_profile(LAPWING_TEST_DATA "/profiles/full.json"); }

/// A random program whose ranks send each other messages round by round, and wait for them late;
/// beside it the same as a graph.
struct RandomProgram {
    RecordedProgram recorded;
    simulate::Graph graph;
};

/// Writes what one rank does into a graph: what follows a start follows at once, what follows a
/// wait or a computation follows its end.
class GraphRank {
  public:
    explicit GraphRank(simulate::Graph& graph) : graph_(graph) {
        graph.ranks.push_back({static_cast<std::uint32_t>(graph.nodes.size()), 0});
    }
    std::uint32_t add(const simulate::Node& node, bool starts) {
        const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
        graph_.nodes.push_back(node);
        ++graph_.ranks.back().count;
        for (const auto& [on, started] : after_)
            graph_.requirements.push_back({number, on, started});
        after_ = {{number, starts}};
        return number;
    }
    void wait(std::uint32_t node) { after_.emplace_back(node, false); }

  private:
    simulate::Graph& graph_;
    std::vector<std::pair<std::uint32_t, bool>> after_;
};

/// `open`: some receives are from any source, or of any tag.
RandomProgram random_program(unsigned seed, bool open) {
    std::mt19937 random(seed);
    const auto up_to = [&](unsigned most) {
        return static_cast<unsigned>(std::uniform_int_distribution<unsigned>(0, most)(random));
    };
    const unsigned ranks = 2 + up_to(5);
    const unsigned rounds = 1 + up_to(5);
    struct Message {
        unsigned from, to, tag;
        std::uint64_t bytes;
    };
    std::vector<std::vector<Message>> messages(rounds);
    for (auto& round : messages)
        for (unsigned i = up_to(3 * ranks); i-- > 0;) {
            const unsigned from = up_to(ranks - 1);
            round.push_back({from, (from + 1 + up_to(ranks - 2)) % ranks, up_to(2),
                             std::uint64_t{1} << up_to(18)});
        }
    RandomProgram program{RecordedProgram(ranks), {}};
    for (unsigned rank = 0; rank < ranks; ++rank) {
        GraphRank graph(program.graph);
        for (const auto& round : messages) {
            const bool any_source = open && up_to(3) == 0;
            const bool any_tag = open && up_to(3) == 0;
            std::vector<std::uint64_t> requests;
            std::vector<std::uint32_t> nodes;
            const auto computed = std::uint64_t{up_to(20000)};
            const auto start = [&](const Message& message, bool sends) {
                Record record{.kind = sends ? Kind::start_send : Kind::start_receive,
                              .request = requests.size()};
                const bool any_peer = any_source && !sends;
                const bool no_tag = any_tag && !sends;
                const unsigned peer = sends ? message.to : message.from;
                (sends ? record.sent : record.received) = {
                    .peer = any_peer ? record::any : std::int64_t{peer},
                    .tag = no_tag ? record::any : std::int64_t{message.tag},
                    .bytes = message.bytes};
                program.recorded.add(rank, record);
                requests.push_back(requests.size());
                nodes.push_back(graph.add(
                    {.operation = sends ? simulate::Operation::send : simulate::Operation::receive,
                     .peer = any_peer ? simulate::any : peer,
                     .tag = no_tag ? simulate::any : message.tag,
                     .size = message.bytes},
                    true));
            };
            for (const Message& message : round)
                if (message.to == rank) start(message, false);
            for (const Message& message : round)
                if (message.from == rank) start(message, true);
            program.recorded.add(rank,
                                 {.kind = Kind::wait, .computed = computed, .requests = requests});
            if (computed > 0)
                graph.add({.operation = simulate::Operation::calculation, .size = computed}, false);
            for (const std::uint32_t node : nodes) graph.wait(node);
        }
        program.recorded.add(rank, {.kind = Kind::finish, .computed = 1});
        graph.add({.operation = simulate::Operation::calculation, .size = 1}, false);
    }
    return program;
}

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
