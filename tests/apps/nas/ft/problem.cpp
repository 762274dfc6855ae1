#include "problem.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "common/random.hpp"

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

TEST_CASE("Random numbers are those of the benchmark") {
    Random random;
    // 5^13 * 314159265 mod 2^46, over 2^46.
    const double first = random();
    CHECK(first == static_cast<double>(
                       static_cast<std::uint64_t>(static_cast<unsigned __int128>(1'220'703'125) *
                                                  314'159'265 % (std::uint64_t{1} << 46))) *
                       0x1p-46);
    SECTION("and begin anywhere") {
        for (const std::uint64_t skipped : {1, 2, 3, 17, 1000, 99'999}) {
            Random walked;
            for (std::uint64_t i = 0; i < skipped; ++i) walked();
            Random skipping(skipped);
            CHECK(skipping() == walked());
        }
    }
}
