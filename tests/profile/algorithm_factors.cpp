#include "lapwing/profile/algorithm_factors.hpp"

#include <catch2/catch.hpp>

#include "lapwing/profile/profile.hpp"
#include "support/machine.hpp"

using namespace lapwing;

TEST_CASE("factors between and beyond the sizes of their table", "[profile]") {
    const AlgorithmFactors table{"bcast", "binomial", {16, 64, 4096}, {1, 4, 2}};
    CHECK(table.at(16) == Approx(1));
    CHECK(table.at(32) == Approx(2));  // half way, if both axes are logarithmic
    CHECK(table.at(64) == Approx(4));
    CHECK(table.at(0) == Approx(1));
    CHECK(table.at(1 << 20) == Approx(2));
    CHECK(AlgorithmFactors{}.at(8) == 1);
    const AlgorithmFactors empty_message{"bcast", "binomial", {0, 1, 4}, {3, 3, 12}};
    CHECK(empty_message.at(0) == Approx(3));
    CHECK(empty_message.at(1) == Approx(3));
    CHECK(empty_message.at(2) == Approx(6));
}

TEST_CASE("a factor of nothing is refused", "[profile]") {
    Profile machine = test::infiniband();
    machine.algorithms = {{"bcast", "binomial", {16}, {1}}, {"bcast", "linear", {16}, {0}}};
    CHECK_THROWS_WITH(validate(machine), "algorithms[1].factors must be above 0");
    machine.algorithms = {{"bcast", "linear", {16, 8}, {1, 1}}};
    CHECK_THROWS(validate(machine));
}
