#include "../../../../apps/nas/cg/problem.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace lapwing::nas::cg;

TEST_CASE("NAS CG has seven classes") {
    for (const char* name : {"S", "W", "A", "B", "C", "D", "E"})
        CHECK(find_problem(name).name == name[0]);
    for (const char* name : {"", "s", "SS", "G"})
        CHECK_THROWS_AS(find_problem(name), std::invalid_argument);
    CHECK(find_problem("A").size() == std::vector<std::size_t>{14'000});
}

TEST_CASE("Operations of NAS CG are counted as the benchmark counts them") {
    CHECK(find_problem("A").operations() == 2.0 * 15 * 14'000 * (3 + 132 + 25 * (5 + 132) + 3));
}

TEST_CASE("The nonzeros of NAS CG's matrix are expected where they are") {
    const auto expected = [](const char* name) {
        const Problem problem = find_problem(name);
        return problem.expected_nonzeros(problem.rows, problem.rows);
    };
    CHECK(expected("S") == Approx(78'148).epsilon(0.002));
    CHECK(expected("A") == Approx(1'853'104).epsilon(0.002));
    CHECK(expected("B") == Approx(13'708'072).epsilon(0.002));
}
