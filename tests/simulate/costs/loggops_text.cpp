#include "lapwing/simulate/costs/loggops_text.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using Catch::Matchers::Contains;
using lapwing::simulate::LogGOPS;
using lapwing::simulate::loggops_from_text;

TEST_CASE("a LogGOPS machine is read from its parameters", "[simulate]") {
    const LogGOPS machine = loggops_from_text("L=1,o=2,g=3,G=4,O=5,S=6");
    CHECK(machine.L == 1);
    CHECK(machine.o == 2);
    CHECK(machine.g == 3);
    CHECK(machine.G == 4);
    CHECK(machine.O == 5);
    CHECK(machine.S == 6);
    const LogGOPS other = loggops_from_text("o=0,S=4611686018427387904");
    CHECK(other.o == 0);
    CHECK(other.S == std::uint64_t{1} << 62U);
    CHECK(other.L == LogGOPS{}.L);
    CHECK(loggops_from_text("").g == LogGOPS{}.g);
}

TEST_CASE("wrong parameters of a LogGOPS machine are refused", "[simulate]") {
    const auto refused = [](const char* text, const char* says) {
        CHECK_THROWS_AS(loggops_from_text(text), std::invalid_argument);
        CHECK_THROWS_WITH(loggops_from_text(text), Contains(says));
    };
    refused("L", "'L' is none of L=, o=, g=, G=, O= and S=");
    refused("l=1", "is none of");
    refused("L=1,L=2", "L is there twice");
    refused("L=", "is not a whole number from 0");
    refused("L=-1", "is not a whole number from 0");
    refused("L=1.5", "is not a whole number from 0");
    refused("L=99999999999999999999", "is not a whole number from 0");
    refused("G=10001", "from 0 to 10000");
}
