#include "lapwing/profile/pattern_gap.hpp"

#include <catch2/catch.hpp>

using lapwing::PairRank;
using lapwing::pattern_gap;
using lapwing::Profile;

namespace {

Profile measured() {
    Profile profile;
    profile.patterns = {{.pattern = "alltoall",
                         .processes = {2, 4, 16},
                         .sizes = {1000, 2000},
                         .slowest = {{1e-9, 2e-9}, {3e-9, 5e-9}, {7e-9, 8e-9}},
                         .fastest = {{1e-9, 1e-9}, {2e-9, 4e-9}, {6e-9, 6e-9}},
                         .fairness = {{1, 1}, {1, 1}, {1, 1}}},
                        {.pattern = "gather",
                         .processes = {2, 5},
                         .sizes = {1000},
                         .slowest = {{1e-9}, {8e-9}},
                         .fastest = {{1e-9}, {8e-9}},
                         .fairness = {{1}, {1}}}};
    return profile;
}

}  // namespace

TEST_CASE("the gap of a pattern is that of the nearest number of processes not below",
          "[profile]") {
    CHECK(pattern_gap(measured(), "alltoall", 2, 1e9) == 2e-9);
    CHECK(pattern_gap(measured(), "alltoall", 3, 1e9) == 5e-9);
    CHECK(pattern_gap(measured(), "alltoall", 4, 1e9) == 5e-9);
    CHECK(pattern_gap(measured(), "alltoall", 5, 1e9) == 8e-9);
    CHECK(pattern_gap(measured(), "alltoall", 1000, 1e9) == 8e-9);
}

TEST_CASE("the gap of a pattern is interpolated between sizes", "[profile]") {
    CHECK(pattern_gap(measured(), "alltoall", 4, 10) == 3e-9);
    CHECK(pattern_gap(measured(), "alltoall", 4, 1500) == Approx(4e-9));
    CHECK(pattern_gap(measured(), "alltoall", 4, 1500, PairRank::fastest) == Approx(3e-9));
    CHECK(pattern_gap(measured(), "alltoall", 4, 1e9) == 5e-9);
}

TEST_CASE("the gap of a gather is that of the wire into the one rank", "[profile]") {
    CHECK(pattern_gap(measured(), "gather", 5, 1e9) == Approx(2e-9));
    CHECK(pattern_gap(measured(), "gather", 2, 1e9) == 1e-9);
}

TEST_CASE("a pattern that was not measured has no gap", "[profile]") {
    CHECK(pattern_gap(measured(), "nearest-neighbour", 4, 1e9) == 0);
    CHECK(pattern_gap({}, "alltoall", 4, 1e9) == 0);
}
