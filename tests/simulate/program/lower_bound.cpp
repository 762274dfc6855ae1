#include "lapwing/simulate/program/lower_bound.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/simulate/simulate.hpp"
#include "simulate/links/links.hpp"
#include "support/machine.hpp"

using lapwing::goal_from_text;
using lapwing::Nic;
using lapwing::simulate::lower_bound_ticks;
using lapwing::simulate::MeasuredMachine;
using lapwing::simulate::simulate;

TEST_CASE("the lower bound is the busiest processor or the busiest link", "[simulate]") {
    const MeasuredMachine costs(lapwing::test::infiniband(), 1);
    const auto graph = goal_from_text(
        "num_ranks 3\nrank 0 {\na: calc 100000\nb: send 75000b to 2\n}\n"
        "rank 1 {\nsend 75000b to 2\n}\nrank 2 {\nrecv 75000b from 0\nrecv 75000b from 1\n}\n");
    // Two messages to rank 2, of 100 us each; rank 0 computes 100 us, and sends.
    CHECK(lower_bound_ticks(graph, costs) == Approx(200e6).epsilon(1e-6));
    CHECK(simulate(graph, costs).finish > lower_bound_ticks(graph, costs));
    const auto computed = goal_from_text("num_ranks 1\nrank 0 {\ncalc 70\ncalc 7\n}\n");
    CHECK(lower_bound_ticks(computed, costs) == 77 * MeasuredMachine::nanosecond);
    CHECK(simulate(computed, costs).finish == lower_bound_ticks(computed, costs));
}

TEST_CASE("no simulation ends before the lower bound", "[simulate]") {
    lapwing::test::Random random(7);
    for (int trial = 0; trial < 40; ++trial) {
        std::vector<lapwing::test::Sent> sends;
        sends.reserve(12);
        const int ranks = static_cast<int>(random.integer(2, 6));
        for (int i = 0; i < 12; ++i) {
            const int from = static_cast<int>(random.integer(0, ranks - 1));
            const int to = (from + static_cast<int>(random.integer(1, ranks - 1))) % ranks;
            sends.push_back({from, to, static_cast<int>(random.integer(1, 100))});
        }
        const auto graph = goal_from_text(lapwing::test::at_once(ranks, sends));
        const MeasuredMachine costs(lapwing::test::any_machine(random), 1);
        CHECK(simulate(graph, costs).finish >= lower_bound_ticks(graph, costs));
    }
}
