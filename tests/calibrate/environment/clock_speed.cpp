#include "lapwing/calibrate/environment/clock_speed.hpp"

#include <catch2/catch.hpp>

#include "lapwing/calibrate/sampling/series.hpp"

using lapwing::ClockSpeed;
using lapwing::Series;

TEST_CASE("the fastest pace is the least of all, the typical one no faster", "[calibrate]") {
    ClockSpeed pace;
    CHECK(pace.typical() == 1);
    double least = 1;
    for (int i = 0; i < 100; ++i) {
        pace.begin();
        pace.end();
        CHECK(pace.present() >= pace.fastest());
        least = std::min(least, pace.present());
    }
    CHECK(pace.fastest() > 0);
    CHECK(pace.fastest() <= least);
    CHECK(pace.typical() > 0);
    CHECK(pace.typical() <= 1);
    CHECK(pace.slowest() > 0);
    CHECK(pace.slowest() <= pace.typical());
}

TEST_CASE("processor time is given at the fastest pace, other time as it was", "[calibrate]") {
    ClockSpeed pace;
    Series work(pace);
    Series wire;
    // Work of a hundred chains takes a hundred times what the chain takes, whatever that is.
    for (int visit = 0; visit < 20; ++visit) {
        pace.begin();
        pace.end();
        for (int i = 0; i < 3; ++i) {
            work.add(100 * pace.present());
            wire.add(5);
        }
        work.close();
        wire.close();
    }
    CHECK(work.median() == Approx(100 * pace.fastest()));
    CHECK(work.lower_quartile() == Approx(100 * pace.fastest()));
    CHECK(work.error() < 1e-9);
    CHECK(wire.median() == 5);
    CHECK(wire.lower_quartile() == 5);
}
