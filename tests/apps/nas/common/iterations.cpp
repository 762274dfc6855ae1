#include "common/iterations.hpp"

#include <catch2/catch.hpp>

using lapwing::nas::seconds_of_iterations;

namespace {

/// The first iteration is another one than the rest, which last differently long in turn.
double varying_iterations(int iterations) {
    double seconds = 0;
    for (int i = 0; i < iterations; ++i) seconds += i == 0 ? 7 : 2 + i % 4;
    return seconds;
}

}  // namespace

TEST_CASE("NAS iterations that are not simulated last as long as the others in the mean") {
    CHECK(seconds_of_iterations(9, varying_iterations) == Approx(varying_iterations(9)));
    CHECK(seconds_of_iterations(401, varying_iterations) == Approx(varying_iterations(401)));
}

TEST_CASE("Few NAS iterations are all simulated") {
    for (const int iterations : {1, 2, 5}) {
        int simulated = 0;
        CHECK(seconds_of_iterations(iterations, [&](int n) {
                  ++simulated;
                  return varying_iterations(n);
              }) == varying_iterations(iterations));
        CHECK(simulated == 1);
    }
}
