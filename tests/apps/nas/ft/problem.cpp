#include "ft/problem.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace lapwing::nas::ft;

TEST_CASE("NAS FT has seven classes, each with a checksum for every iteration") {
    for (const char* name : {"S", "W", "A", "B", "C", "D", "E"}) {
        const auto problem = find_problem(name);
        REQUIRE(problem);
        CHECK(problem->name == name[0]);
        CHECK(expected_checksums(*problem).size() == static_cast<std::size_t>(problem->iterations));
    }
    CHECK_FALSE(find_problem("F"));
    CHECK_FALSE(find_problem("s"));
    CHECK_FALSE(find_problem(""));
    CHECK_FALSE(find_problem("SS"));
    CHECK(find_problem("A")->size() == lapwing::fft::Size{128, 256, 256});
}

TEST_CASE("A checksum is verified to twelve digits") {
    const std::complex<double> expected = {554.6087004964, 484.5363331978};
    CHECK(verified(expected, expected));
    CHECK(verified(expected * (1 + 0.9e-12), expected));
    CHECK_FALSE(verified(expected * (1 + 1.1e-12), expected));
    CHECK_FALSE(verified({expected.imag(), expected.real()}, expected));
    CHECK_FALSE(verified({NAN, 0}, expected));
}
