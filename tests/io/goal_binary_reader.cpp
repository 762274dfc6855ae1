#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "lapwing/io/file.hpp"
#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/simulate.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using lapwing::goal_from_text;
using lapwing::to_goal;
using lapwing::simulate::Graph;
using lapwing::simulate::Operation;

namespace {

const std::string schedules = LAPWING_TEST_DATA "/goal/";

template <class Number>
void append_number(std::string& bytes, Number number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
        bytes += static_cast<char>(static_cast<std::uint64_t>(number) >> 8 * i & 0xFFU);
}

/// What waits for each operation of a rank, in the order of the schedule.
std::vector<std::uint32_t> waiting_for(const Graph& graph, std::uint32_t on, bool started) {
    std::vector<std::uint32_t> found;
    for (const auto& each : graph.requirements)
        if (each.on == on && each.started == started) found.push_back(each.operation);
    return found;
}

/// The operations of a rank in the binary format.
std::string binary_part(const Graph& graph, const Graph::Program& rank) {
    std::string roots;
    std::string operations;
    std::string dependents;
    for (std::uint32_t i = rank.first; i < rank.first + rank.count; ++i) {
        const auto& node = graph.nodes[i];
        std::uint32_t waits_for = 0;
        for (const auto& each : graph.requirements) waits_for += each.operation == i ? 1 : 0;
        if (waits_for == 0) append_number(roots, i - rank.first);
        append_number(operations, waits_for);
        constexpr std::array<std::uint8_t, 3> types{1, 2, 3};
        append_number(operations, types[static_cast<std::size_t>(node.operation)]);
        append_number(operations, node.peer);
        append_number(operations, node.size);
        append_number(operations, node.tag);
        append_number(operations, graph.pairs[node.pair].first);
        append_number(operations, graph.pairs[node.pair].second);
        for (const bool started : {false, true}) {
            const auto list = waiting_for(graph, i, started);
            append_number(operations, static_cast<std::uint32_t>(list.size()));
            append_number(operations, static_cast<std::uint32_t>(dependents.size() / 4));
            for (const std::uint32_t each : list) append_number(dependents, each - rank.first);
        }
    }
    std::string bytes;
    append_number(bytes, rank.count);
    append_number(bytes, static_cast<std::uint32_t>(roots.size() / 4));
    return bytes + roots + operations + dependents;
}

/// A schedule in the binary format.
std::string binary_goal(const Graph& graph) {
    std::uint8_t processor = 0;
    std::uint8_t interface = 0;
    for (const auto& [one, other] : graph.pairs) {
        processor = std::max(processor, one);
        interface = std::max(interface, other);
    }
    std::string bytes;
    append_number(bytes, std::uint64_t{4223});
    append_number(bytes, static_cast<std::uint32_t>(graph.ranks.size()));
    append_number(bytes, processor);
    append_number(bytes, interface);
    std::string parts;
    std::uint64_t end = 6 + 16 * graph.ranks.size();
    for (const auto& rank : graph.ranks) {
        append_number(bytes, end);
        parts += binary_part(graph, rank);
        end = 6 + 16 * graph.ranks.size() + parts.size();
        append_number(bytes, end);
    }
    return bytes + parts;
}

std::span<const std::uint8_t> goal_bytes(const std::string& bytes) {
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}
Graph read_binary_goal(const std::string& bytes) {
    return lapwing::goal_from_binary(goal_bytes(bytes));
}

/// The message with which a file is refused; "" if it is read.
std::string binary_refusal(const std::string& bytes) {
    try {
        (void)read_binary_goal(bytes);
    } catch (const std::runtime_error& error) {
        const std::string said = error.what();
        CHECK(said.find('\n') == std::string::npos);
        return said;
    }
    return "";
}

/// `bytes` with a number in another place: of `size` bytes at `at`.
std::string with_number(std::string bytes, std::size_t at, std::uint64_t number,
                        std::size_t size = 4) {
    for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(number >> 8 * i);
    return bytes;
}

// Two ranks. Rank 0 begins at byte 46, its operations at 58 and 97, the list of what waits at 136.
const std::string two_ranks =
    "num_ranks 2\nrank 0 {\na: calc 5\nb: send 8b to 1 tag 3\nb requires a\n}\n"
    "rank 1 {\nrecv 8b from 0 tag 3\n}\n";
constexpr std::size_t first_operation = 58;
constexpr std::size_t second_operation = 97;
constexpr std::size_t list = 136;

}  // namespace

TEST_CASE("a binary schedule is read as its text", "[io][goal]") {
    const std::string written = lapwing::read_file(schedules + "mixed.bin");  // by txt2bin
    const Graph text = lapwing::load_goal(schedules + "mixed.goal");
    CHECK(binary_goal(text) == written);
    const Graph graph = lapwing::load_goal(schedules + "mixed.bin");
    CHECK(to_goal(read_binary_goal(written)) == to_goal(graph));
    const auto played = simulate(graph, {});
    CHECK(played.finish == 433272);  // LogGOPSim's
    CHECK(played.rank_finish == simulate(text, {}).rank_finish);
    for (const char* name : {"nway-dissemination-16.goal", "bcast-binomial-17.goal"}) {
        const Graph its = lapwing::load_goal(schedules + name);
        const Graph again = read_binary_goal(binary_goal(its));
        CHECK(binary_goal(again) == binary_goal(its));
        CHECK(simulate(again, {}).rank_finish == simulate(its, {}).rank_finish);
    }
}

TEST_CASE("a schedule is recognised by its first word", "[io][goal]") {
    for (const char* name : {"mixed.goal", "mixed.bin", "alltoall-linear-8.goal"})
        CHECK(lapwing::is_goal(goal_bytes(lapwing::read_file(schedules + name))));
    CHECK(lapwing::is_goal(goal_bytes("/* a */ // b\n\n num_ranks 7")));
    CHECK_FALSE(lapwing::is_goal(goal_bytes("")));
    CHECK_FALSE(lapwing::is_goal(goal_bytes("/* a comment")));
    CHECK_FALSE(lapwing::is_goal(goal_bytes("num_rank 7")));
    CHECK_FALSE(lapwing::is_goal(goal_bytes("LWTRACE\n")));
}

TEST_CASE("a binary schedule that is cut off is refused", "[io][goal]") {
    const std::string whole = binary_goal(goal_from_text(two_ranks));
    REQUIRE(binary_refusal(whole).empty());
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        CHECK_FALSE(binary_refusal(whole.substr(0, size)).empty());
    }
    CHECK_THAT(binary_refusal(whole.substr(0, whole.size() - 1)),
               StartsWith("rank 1: it is cut off"));
    CHECK(binary_refusal(whole + "x") == "bytes follow the operations of the last rank");
}

TEST_CASE("binary schedules that lie are answered with rank and operation", "[io][goal]") {
    const std::string whole = binary_goal(goal_from_text(two_ranks));
    CHECK_THAT(binary_refusal(with_number(whole, 0, 2342)), Contains("--save-mem"));
    CHECK(binary_refusal(with_number(whole, 0, 1)) == "it is no binary schedule");
    CHECK_THAT(binary_refusal(with_number(whole, 8, 0)), Contains("there are 0 ranks"));
    CHECK_THAT(binary_refusal(with_number(whole, 8, 0xFFFFFFFF)),
               Contains("has no room for so many"));
    CHECK_THAT(binary_refusal(with_number(whole, 14, 7, 8)),
               StartsWith("rank 0: its operations begin at 7"));
    CHECK_THAT(binary_refusal(with_number(whole, 22, ~0ULL, 8)),
               StartsWith("rank 0: it is cut off"));
    CHECK_THAT(binary_refusal(with_number(whole, 22, 0, 8)), StartsWith("rank 0: it ends before"));
    CHECK_THAT(binary_refusal(with_number(whole, 46, 0xFFFFFFFF)),
               Contains("rank 0: it says that it has 4294967295 operations"));
    CHECK_THAT(binary_refusal(with_number(whole, 50, 0xFFFFFFFF)),
               Contains("has no room for just these"));
    CHECK_THAT(binary_refusal(with_number(whole, 54, 1)),
               Contains("rank 0, operation 1: it waits for none, and is not where"));
    const auto first = [&](std::size_t at, std::uint64_t number, std::size_t size = 4) {
        return binary_refusal(with_number(whole, first_operation + at, number, size));
    };
    const auto second = [&](std::size_t at, std::uint64_t number, std::size_t size = 4) {
        return binary_refusal(with_number(whole, second_operation + at, number, size));
    };
    CHECK_THAT(second(0, 2), StartsWith("rank 0, operation 2: it says that it waits for 2 "));
    CHECK(first(4, 9, 1) == "rank 0, operation 1: there is no type 9 of operations");
    CHECK(second(5, 2) == "rank 0, operation 2: there is no rank 2 of 2");
    CHECK_THAT(second(5, 0xFFFFFFFF), Contains("there is no rank 4294967295"));
    CHECK_THAT(second(9, ~0ULL, 8), Contains("operation 2: a size must be at most"));
    CHECK_THAT(first(9, ~0ULL, 8), Contains("operation 1: a time must be at most"));
    CHECK(second(17, 0xFFFFFFFF) == "rank 0, operation 2: a send has no tag");
    CHECK_THAT(second(21, 1, 1), Contains("it has processor 1 and interface 0"));
    CHECK_THAT(first(23, 0xFFFFFFFF), StartsWith("rank 0, operation 1: it says that 4294967295 "));
    CHECK_THAT(first(23, 0), StartsWith("rank 0: more operations that wait for others"));
    CHECK_THAT(first(27, 1), Contains("which cannot be"));
    CHECK_THAT(second(31, 1), Contains("which cannot be"));
    CHECK_THAT(binary_refusal(with_number(whole, list, 2)),
               StartsWith("rank 0, operation 1: operation 3 waits for it"));
}

TEST_CASE("a circle of operations is told by one of them", "[io][goal]") {
    const Graph graph = read_binary_goal(binary_goal(goal_from_text(
        "num_ranks 2\nrank 0 {\ncalc 1\n}\n"
        "rank 1 {\nz: calc 9\na: calc 1\nb: calc 2\nc: calc 3\na requires c\nb requires a\n"
        "c irequires b\nz requires a\n}\n")));
    CHECK_THROWS_WITH(simulate(graph, {}), Contains("the schedule deadlocks: operation ") &&
                                               Contains(" of rank 1 is in a circle") &&
                                               !Contains("operation 1 of"));
}

TEST_CASE("whatever a binary file holds, the reader ends and says so", "[io][goal]") {
    std::mt19937_64 random(5);
    const std::string seeds[] = {
        lapwing::read_file(schedules + "mixed.bin"),
        binary_goal(lapwing::load_goal(schedules + "bcast-binomial-8.goal"))};
    int read_whole = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string bytes = seeds[random() % 2];
        for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
            const std::size_t at = 8 + random() % (bytes.size() - 12);
            const std::uint64_t numbers[] = {0, 1, 2, 0xFF, 0xFFFFFFFF, random() % bytes.size()};
            bytes =
                with_number(bytes, at, numbers[random() % std::size(numbers)], 1 + random() % 4);
        }
        if (random() % 4 == 0) bytes.resize(8 + random() % bytes.size());
        if (!binary_refusal(bytes).empty()) continue;
        ++read_whole;
        const Graph graph = read_binary_goal(bytes);
        CHECK(graph.nodes.size() * sizeof graph.nodes[0] <= bytes.size());
        CHECK(graph.requirements.size() <= bytes.size() / 4);
        try {
            (void)simulate(graph, {});
        } catch (const lapwing::simulate::Deadlock& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        } catch (const std::invalid_argument&) {
        }
    }
    CHECK(read_whole > 100);
}
