#include "lapwing/io/goal.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "lapwing/io/file.hpp"
#include "lapwing/simulate/simulate.hpp"

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using lapwing::goal_from_text;
using lapwing::to_goal;
using lapwing::simulate::Graph;
using lapwing::simulate::Operation;

namespace {

const std::string folder = LAPWING_TEST_DATA "/goal/";

/// The message with which a schedule is refused; "" if it is read. Anything but a `runtime_error`
/// of one line with a position fails the test.
std::string goal_complaint(const std::string& text) {
    try {
        (void)goal_from_text(text);
    } catch (const std::runtime_error& error) {
        const std::string said = error.what();
        CHECK(said.find('\n') == std::string::npos);
        CHECK_THAT(said, StartsWith("line "));
        return said;
    }
    return "";
}

}  // namespace

TEST_CASE("a schedule is read as it is written", "[io][goal]") {
    const Graph graph = goal_from_text(
        "// a comment\n\nnum_ranks 2\r\n"
        "rank 0 { /* another,\n over two lines */\n"
        "\tfirst: send 1024b to 1 tag 7 cpu 2 nic 3 // at the end\n"
        "calc 12\n"
        "l1: calc 5 cpu 1\n"
        "l1 requires first\n"
        "first irequires l1\n"
        "}\n"
        "rank 1 {\nrecv 8b from -1 tag -1\nl2: recv 9b from 0 }");
    REQUIRE(graph.ranks.size() == 2);
    REQUIRE(graph.nodes.size() == 5);
    const auto& send = graph.nodes[0];
    CHECK(send.operation == Operation::send);
    CHECK(send.size == 1024);
    CHECK(send.peer == 1);
    CHECK(send.tag == 7);
    CHECK(graph.pairs[send.pair].first == 2);
    CHECK(graph.pairs[send.pair].second == 3);
    CHECK(graph.nodes[1].operation == Operation::calculation);
    CHECK(graph.nodes[3].peer == lapwing::simulate::any);
    CHECK(graph.nodes[3].tag == lapwing::simulate::any);
    CHECK(graph.nodes[4].tag == 0);
    REQUIRE(graph.requirements.size() == 2);
    CHECK(graph.requirements[0].operation == 2);
    CHECK(graph.requirements[0].on == 0);
    CHECK(!graph.requirements[0].started);
    CHECK(graph.requirements[1].started);
    CHECK(graph.ranks[1].first == 3);
    CHECK(graph.ranks[1].count == 2);
}

TEST_CASE("what is written is read again", "[io][goal]") {
    for (const char* name : {"nway-dissemination-16.goal", "bcast-binomial-17.goal"}) {
        const Graph graph = lapwing::load_goal(folder + name);
        const std::string text = to_goal(graph);
        CHECK(to_goal(goal_from_text(text)) == text);
        CHECK(simulate(goal_from_text(text), {}).rank_finish == simulate(graph, {}).rank_finish);
    }
    const std::string text =
        "num_ranks 2\n\nrank 0 {\nl1: send 5b to 1 tag 2 cpu 1 nic 1\nl2: calc 7 nic 4\n"
        "l2 irequires l1\n}\n\nrank 1 {\nl1: recv 5b from -1 tag -1 cpu 9\n}\n";
    CHECK(to_goal(goal_from_text(text)) == text);
}

TEST_CASE("ranks may come in any order, requirements before their operations", "[io][goal]") {
    const Graph graph = goal_from_text(
        "num_ranks 2\nrank 1 {\nb requires a\na: calc 1\nb: calc 2\n}\nrank 0 {\ncalc 3\n}\n");
    CHECK(graph.ranks[0].first == 2);
    REQUIRE(graph.requirements.size() == 1);
    CHECK(graph.requirements[0].operation == 1);
    CHECK(simulate(graph, {}).rank_finish == std::vector<lapwing::simulate::Time>{3, 3});
}

TEST_CASE("malformed schedules are answered with line and column", "[io][goal]") {
    const auto in_rank = [](const std::string& lines) {
        return "num_ranks 2\nrank 0 {\n" + lines + "\n}\nrank 1 {\n}\n";
    };
    CHECK(goal_complaint("") == "line 1, column 1: num_ranks expected");
    CHECK(goal_complaint("num_ranks x") ==
          "line 1, column 11: the number of ranks expected, a whole number");
    CHECK_THAT(goal_complaint("num_ranks 0\n"), StartsWith("line 1, column 11: "));
    CHECK_THAT(goal_complaint("num_ranks 4000000000\nrank 0 {\n}\n"), Contains("more ranks than"));
    CHECK_THAT(goal_complaint("num_ranks 99999999999999999999999\n"), Contains("must be at most"));
    CHECK(goal_complaint("num_ranks 2\nrank 0 {\n}\n") == "line 4, column 1: rank 1 has no block");
    CHECK(goal_complaint("num_ranks 1\nrank 0 {\ncalc 5\n") ==
          "line 4, column 1: \"}\" expected, the end of rank 0");
    CHECK(goal_complaint("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n") ==
          "line 4, column 6: rank 0 has a block already");
    CHECK_THAT(goal_complaint("num_ranks 1\nrank 7 {\n}\n"), Contains("there is no rank 7"));
    CHECK(goal_complaint(in_rank("send 8 to 1")) == "line 3, column 8: \"b\" expected, for bytes");
    CHECK(goal_complaint(in_rank("l1: send 8b from 1")) == "line 3, column 13: \"to\" expected");
    CHECK(goal_complaint(in_rank("l1: send 8b to 2")) ==
          "line 3, column 16: there is no rank 2, num_ranks is 2");
    CHECK_THAT(goal_complaint(in_rank("send 8b to -1")), Contains("a rank expected"));
    CHECK_THAT(goal_complaint(in_rank("send 8b to 1 tag -1")), Contains("a tag expected"));
    CHECK(goal_complaint(in_rank("l1: jump 8")) == "line 3, column 5: send, recv or calc expected");
    CHECK(goal_complaint(in_rank("l1 needs l2")) ==
          "line 3, column 4: \":\", requires or irequires expected");
    CHECK(goal_complaint(in_rank("l1: calc 1\nl2 requires l1")) ==
          "line 4, column 1: rank 0 has no operation l2");
    CHECK(goal_complaint(in_rank("l1: calc 1\nl1: calc 2")) ==
          "line 4, column 1: label l1 is used already");
    CHECK(goal_complaint(in_rank("calc 5 6")) == "line 3, column 8: the end of the line expected");
    CHECK_THAT(goal_complaint(in_rank("calc 5 cpu 256")), Contains("must be at most 255"));
    CHECK_THAT(goal_complaint(in_rank("calc 99999999999999999999")), Contains("must be at most"));
    CHECK(goal_complaint("num_ranks 1\n/* open") ==
          "line 2, column 1: a comment that does not end");
    CHECK_THROWS_WITH(lapwing::load_goal(folder + "finish-times.csv"),
                      Contains("finish-times.csv: line 1, column 1: num_ranks expected"));
}

TEST_CASE("whatever is read, the reader ends and says so", "[io][goal]") {
    std::mt19937 random(11);
    const std::string seeds[] = {
        lapwing::read_file(folder + "bcast-binomial-8.goal"),
        "num_ranks 2\nrank 0 {\na: send 5b to 1 tag 2 cpu 1\nb: calc 7\nb irequires a\n}\n"
        "rank 1 { /* c */\nrecv 5b from -1 tag -1 // d\n}\n"};
    const std::string pieces[] = {"rank",
                                  "num_ranks",
                                  "{",
                                  "}",
                                  "requires",
                                  "send",
                                  "recv",
                                  "calc",
                                  "-1",
                                  "4294967295",
                                  "/*",
                                  "*/",
                                  "//",
                                  "\n",
                                  "18446744073709551616",
                                  "l1:",
                                  "cpu 255",
                                  "nic",
                                  std::string(1, '\0'),
                                  "\xff"};
    int read = 0;
    for (int round = 0; round < 20000; ++round) {
        std::string text = seeds[random() % 2];
        for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
            const std::size_t at = random() % (text.size() + 1);
            switch (random() % 4) {
                case 0:
                    text.erase(at, 1 + random() % 20);
                    break;
                case 1:
                    text.insert(at, pieces[random() % std::size(pieces)]);
                    break;
                case 2:
                    if (at < text.size()) text[at] = static_cast<char>(random() % 256);
                    break;
                default:
                    text.insert(at, text.substr(random() % text.size(), random() % 60));
            }
        }
        if (!goal_complaint(text).empty()) continue;
        ++read;
        // A schedule that can be read can be simulated, or is refused with a reason.
        try {
            (void)simulate(goal_from_text(text), {});
        } catch (const lapwing::simulate::Deadlock& error) {
            CHECK(std::string(error.what()).find('\n') == std::string::npos);
        }
    }
    CHECK(read > 100);
}
