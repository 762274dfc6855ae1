#include <catch2/catch.hpp>
#include <sstream>
#include <string>

#include "lapwing/io/file.hpp"
#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/simulate.hpp"

using Catch::Matchers::Contains;
using lapwing::goal_from_text;
using lapwing::simulate::Deadlock;
using lapwing::simulate::LogGOPS;
using lapwing::simulate::Result;

namespace {

const std::string folder = LAPWING_TEST_DATA "/goal/";

Result run(const std::string& goal, const LogGOPS& machine = {}) {
    return simulate(goal_from_text(goal), machine);
}

}  // namespace

TEST_CASE("finish times are those of LogGOPSim to the nanosecond", "[simulate]") {
    std::istringstream lines(lapwing::read_file(folder + "finish-times.csv"));
    std::string line;
    std::getline(lines, line);
    int compared = 0;
    while (std::getline(lines, line)) {
        for (auto& c : line)
            if (c == ',') c = ' ';
        std::istringstream fields(line);
        std::string file;
        LogGOPS machine;
        lapwing::simulate::Time finish = 0;
        REQUIRE(fields >> file >> machine.L >> machine.o >> machine.g >> machine.G >> machine.O >>
                machine.S >> finish);
        INFO(line);
        CHECK(simulate(lapwing::load_goal(folder + file), machine).finish == finish);
        ++compared;
    }
    CHECK(compared == 64);
}

TEST_CASE("one message costs what the equations say", "[simulate]") {
    const LogGOPS machine{2500, 1500, 1000, 6, 1, 65535};
    const auto result =
        run("num_ranks 2\nrank 0 {\nsend 101b to 1 tag 3\n}\nrank 1 {\nrecv 101b from 0 tag 3\n}\n",
            machine);
    CHECK(result.rank_finish[0] == 1500 + 100 * 1);
    CHECK(result.rank_finish[1] == 1500 + 2500 + 1500 + 100 * 6);
    CHECK(result.events == 3);
    CHECK(result.messages == 1);
}

TEST_CASE("a rendezvous send ends when it is matched with its receive", "[simulate]") {
    const std::string goal =
        "num_ranks 2\n"
        "rank 0 {\nl1: send 1000b to 1 tag 0\nl2: calc 10\nl2 requires l1\n}\n"
        "rank 1 {\nl1: calc 50000\nl2: recv 1000b from 0 tag 0\nl2 requires l1\n}\n";
    const auto eager = run(goal, {2500, 1500, 1000, 6, 0, 1000});
    CHECK(eager.rank_finish[0] == 1500 + 10);
    const auto rendezvous = run(goal, {2500, 1500, 1000, 6, 0, 999});
    // The message is received when the calculation has ended, after which the receive is posted.
    CHECK(rendezvous.rank_finish[1] == 50000 + 1500 + 999 * 6);
    CHECK(rendezvous.rank_finish[0] == 50000 + 1500 + 999 * 6 + 10 - (1500 + 999 * 6));
}

TEST_CASE("irequires waits for the start, requires for the end", "[simulate]") {
    const auto goal = [](const std::string& word) {
        return "num_ranks 1\nrank 0 {\nl1: calc 100\nl2: calc 7 cpu 1\nl2 " + word + " l1\n}\n";
    };
    // A calculation on another processor starts when that is free, as in LogGOPSim.
    CHECK(run(goal("irequires")).finish == 100);
    CHECK(run(goal("requires")).finish == 100);
    CHECK(run("num_ranks 1\nrank 0 {\nl1: calc 100\nl2: calc 7\nl2 requires l1\n}\n").finish ==
          107);
}

TEST_CASE("messages are matched with receives in order, from any source, too", "[simulate]") {
    // Two messages of one channel, and one that a receive from any rank and of any tag matches.
    const auto result =
        run("num_ranks 3\n"
            "rank 0 {\nl1: send 8b to 2 tag 1\nl2: send 16b to 2 tag 1\nl2 requires l1\n}\n"
            "rank 1 {\nl1: calc 9000\nl2: send 32b to 2 tag 7\nl2 requires l1\n}\n"
            "rank 2 {\nl1: recv 8b from 0 tag 1\nl2: recv 16b from -1 tag 1\n"
            "l3: recv 32b from -1 tag -1\nl3 requires l2\n}\n");
    CHECK(result.messages == 3);
    CHECK(result.finish == 9000 + 1500 + 2500 + 1500 + 31 * 6);
}

TEST_CASE("a schedule that deadlocks names ranks and messages", "[simulate]") {
    CHECK_THROWS_AS(run("num_ranks 2\nrank 0 {\nrecv 8b from 1 tag 5\n}\nrank 1 {\n}\n"), Deadlock);
    CHECK_THROWS_WITH(run("num_ranks 2\nrank 0 {\nrecv 8b from 1 tag 5\n}\nrank 1 {\n}\n"),
                      Contains("rank 0 waits for 8 bytes from rank 1, tag 5"));
    CHECK_THROWS_WITH(
        run("num_ranks 2\n"
            "rank 0 {\nl1: recv 8b from 1 tag 0\nl2: send 8b to 1 tag 0\nl2 requires l1\n}\n"
            "rank 1 {\nl1: recv 8b from 0 tag 0\nl2: send 8b to 0 tag 0\nl2 requires l1\n}\n"),
        Contains("rank 0 waits for 8 bytes from rank 1") &&
            Contains("rank 1 waits for 8 bytes from rank 0"));
    CHECK_THROWS_WITH(run("num_ranks 2\nrank 0 {\nsend 99999b to 1\n}\nrank 1 {\n}\n"),
                      Contains("rank 0 waits for rank 1 to receive 99999 bytes, tag 0"));
    CHECK_THROWS_WITH(run("num_ranks 2\nrank 0 {\nsend 9b to 1\n}\nrank 1 {\n}\n"),
                      Contains("rank 1 never receives 9 bytes from rank 0, tag 0"));
    CHECK_THROWS_WITH(
        run("num_ranks 1\nrank 0 {\nl1: calc 1\nl2: calc 1\nl1 requires l2\nl2 requires l1\n}\n"),
        Contains("operation 2 of rank 0 is in a circle of operations"));
    // It names a few of many.
    std::string many = "num_ranks 50\nrank 0 {\n}\n";
    for (int rank = 1; rank < 50; ++rank)
        many += "rank " + std::to_string(rank) + " {\nrecv 8b from 0\n}\n";
    CHECK_THROWS_WITH(run(many), Contains("; and more") && !Contains("rank 9 "));
}

TEST_CASE("an empty message never costs less than nothing", "[simulate]") {
    const std::string goal =
        "num_ranks 2\nrank 0 {\nsend 0b to 1\n}\nrank 1 {\nrecv 0b from 0\n}\n";
    CHECK(run(goal, {2500, 1500, 1000, 6, 0, 65535}).finish == 1500 + 2500 + 1500 - 6);
    CHECK(run(goal, {0, 0, 0, 6, 6, 65535}).finish == 0);
}
