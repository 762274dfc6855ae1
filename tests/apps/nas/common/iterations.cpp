#include "common/iterations.hpp"

#include <catch2/catch.hpp>
#include <limits>

using lapwing::nas::seconds_of_iterations;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The first iteration is another one than the rest, which last differently long in turn.
double varying_iterations(int iterations) {
    double seconds = 0;
    for (int i = 0; i < iterations; ++i) seconds += i == 0 ? 7 : 2 + i % 4;
    return seconds;
}
/// The same; infinity if that is more than `most`.
double within(int iterations, double most) {
    const double seconds = varying_iterations(iterations);
    return seconds > most ? unlimited : seconds;
}

}  // namespace

TEST_CASE("NAS iterations that are not simulated last as long as the others in the mean") {
    CHECK(seconds_of_iterations(9, unlimited, within) == Approx(varying_iterations(9)));
    CHECK(seconds_of_iterations(401, unlimited, within) == Approx(varying_iterations(401)));
}

TEST_CASE("Few NAS iterations are all simulated") {
    for (const int iterations : {1, 2, 5}) {
        int simulated = 0;
        CHECK(seconds_of_iterations(iterations, unlimited, [&](int n, double most) {
                  ++simulated;
                  return within(n, most);
              }) == varying_iterations(iterations));
        CHECK(simulated == 1);
    }
}

TEST_CASE("NAS iterations are given up where they take longer than a limit") {
    for (const int iterations : {1, 5, 9, 401}) {
        const double seconds = varying_iterations(iterations);
        CHECK(seconds_of_iterations(iterations, seconds * 1.001, within) == Approx(seconds));
        CHECK(seconds_of_iterations(iterations, seconds * 0.999, within) == unlimited);
        CHECK(seconds_of_iterations(iterations, 1, within) == unlimited);
    }
}
