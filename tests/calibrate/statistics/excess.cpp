#include "lapwing/calibrate/statistics/excess.hpp"

#include <catch2/catch.hpp>

using lapwing::Estimate;
using lapwing::excess;

TEST_CASE("a difference counts beyond what its ends are uncertain by", "[calibrate]") {
    const Estimate longer{.median = 12e-6, .error = 0.05};
    CHECK(excess(longer, {.median = 10e-6, .error = 0.05}) == Approx(2e-6));
    CHECK(excess(longer, {.median = 10e-6, .error = 0.15}) == 0);
    CHECK(excess({.median = 12e-6, .error = 0.2}, {.median = 10e-6}) == 0);
    // As a quantity that was sampled in few comparable environments.
    CHECK(excess({.median = 12e-6, .error = 1}, {}) == 0);
}

TEST_CASE("nothing is no less than nothing", "[calibrate]") {
    CHECK(excess({}, {}) == 0);
    CHECK(excess({.median = 9e-6}, {.median = 10e-6}) == 0);
    CHECK(excess({.median = 10e-6}, {.median = 10e-6}) == 0);
}

TEST_CASE("what no clock tells is rounded to nothing", "[calibrate]") {
    CHECK(excess({.median = 1 + 4e-10}, {.median = 1}) == 0);
    CHECK(excess({.median = 4e-10}, {}) == 0);
    CHECK(excess({.median = 4e-9}, {}) == 4e-9);
}
