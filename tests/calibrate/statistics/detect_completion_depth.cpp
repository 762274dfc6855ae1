#include "lapwing/calibrate/statistics/detect.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "support/random.hpp"

using lapwing::detect_completion_depth;
using lapwing::test::Random;

namespace {

/// 1, 2, 3, 4, 6, 8, … 256.
std::vector<int> bursts() {
    std::vector<int> result;
    for (int burst = 1; burst <= 256; burst *= 2) {
        result.push_back(burst);
        if (burst > 1 && burst < 256) result.push_back(burst + burst / 2);
    }
    return result;
}

/// Seconds until bursts are complete that take `start` and `each` a message up to `depth`, `later`
/// past it.
std::vector<double> times(double start, double each, int depth, double later) {
    std::vector<double> result;
    for (const int burst : bursts())
        result.push_back(start + each * std::min(burst, depth) +
                         later * std::max(0, burst - depth));
    return result;
}

}  // namespace

TEST_CASE("a queue shows in completion at its depth", "[calibrate]") {
    const int depth = GENERATE(8, 16, 32, 64, 96, 128);
    const double start = GENERATE(0.0, 10e-6);
    CHECK(detect_completion_depth(bursts(), times(start, 10e-6, depth, 130e-6)) == depth);
}

TEST_CASE("a depth between two bursts is that of the smaller", "[calibrate]") {
    const auto knee = detect_completion_depth(bursts(), times(10e-6, 10e-6, 40, 130e-6));
    REQUIRE(knee);
    CHECK(*knee == 32);
}

TEST_CASE("completion at one pace has no knee", "[calibrate]") {
    CHECK_FALSE(detect_completion_depth({}, {}));
    CHECK_FALSE(detect_completion_depth(bursts(), times(10e-6, 10e-6, 256, 10e-6)));
    CHECK_FALSE(detect_completion_depth(bursts(), times(1e-3, 10e-6, 256, 10e-6)));
    CHECK_FALSE(detect_completion_depth(bursts(), times(0, 130e-6, 16, 60e-6)));
    // One slow burst.
    auto slow = times(10e-6, 10e-6, 256, 10e-6);
    slow[6] *= 2;
    CHECK_FALSE(detect_completion_depth(bursts(), slow));
}

TEST_CASE("knees of any machine are found in noise, and none where there is none", "[calibrate]") {
    Random random(21);
    for (int trial = 0; trial < 500; ++trial) {
        const double each = random.log_uniform(0.1e-6, 100e-6);
        const double start = each * random.uniform(0, 5);
        const bool knee = random.chance(0.5);
        const int depth = knee ? random.pick({16, 32, 64, 128}) : 256;
        auto measured = times(start, each, depth, each * random.uniform(4, 30));
        for (auto& time : measured) time *= random.uniform(0.99, 1.01);
        const auto found = detect_completion_depth(bursts(), measured);
        CHECK(found.has_value() == knee);
        if (found) CHECK(*found == depth);
    }
}
