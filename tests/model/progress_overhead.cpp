#include "lapwing/model/progress_overhead.hpp"

#include <catch2/catch.hpp>
#include <limits>

using lapwing::model::progress_overhead;

namespace {

/// The same by steps of time: while there are bytes left, a processor computes for what is not
/// progress_overhead of each step.
double stepped(double compute, double bytes, double G, double O) {
    const double step = compute / 1e6;
    double left = compute;
    double time = 0;
    while (left > 0) {
        left -= step * (time < G * bytes ? 1 - O / G : 1);
        time += step;
    }
    return time - compute;
}

}  // namespace

TEST_CASE("what messages take of a computation that outlasts them is theirs", "[model]") {
    CHECK(progress_overhead(1e-3, 1000, 1e-8, 4e-9) == Approx(4e-6));
    CHECK(progress_overhead(1e-3, 0, 1e-8, 4e-9) == 0);
    CHECK(progress_overhead(1e-3, 1000, 1e-8, 0) == 0);
}

TEST_CASE("of a computation that they outlast, their share of the time", "[model]") {
    CHECK(progress_overhead(3e-3, 1e9, 1e-8, 4e-9) == Approx(2e-3));
    CHECK(progress_overhead(0, 1e9, 1e-8, 4e-9) == 0);
}

TEST_CASE("a computation is prolonged as steps of time tell", "[model]") {
    const double compute = GENERATE(1e-4, 1e-3, 5e-3);
    const double bytes = GENERATE(1e4, 1e5, 4e5);
    const double O = GENERATE(1e-9, 4e-9, 9e-9);
    CHECK(progress_overhead(compute, bytes, 1e-8, O) ==
          Approx(stepped(compute, bytes, 1e-8, O)).epsilon(1e-4).margin(1e-5 * compute));
}

TEST_CASE("what takes all of a processor is one after the other", "[model]") {
    const double O = GENERATE(1e-8, 5e-8);
    CHECK(progress_overhead(1e-3, 1e6, 1e-8, O) == Approx(1e-2));
    CHECK(progress_overhead(1, 1e6, 1e-8, O) == Approx(1e-2));
    CHECK(progress_overhead(0, 1e6, 1e-8, O) == 0);
    CHECK(progress_overhead(1e-3, 1e3, 0, O) == 0);
}
