#include "lapwing/calibrate/statistics/estimate.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "support/random.hpp"

using lapwing::estimate;
using lapwing::median;

TEST_CASE("median", "[calibrate]") {
    std::vector<double> none;
    std::vector<double> one{3};
    std::vector<double> odd{5, 1, 3};
    std::vector<double> even{4, 1, 3, 2};
    CHECK(median(none) == 0);
    CHECK(median(one) == 3);
    CHECK(median(odd) == 3);
    CHECK(median(even) == 2.5);
    CHECK(std::is_sorted(even.begin(), even.end()));
}

TEST_CASE("an estimate of few or equal samples", "[calibrate]") {
    CHECK(estimate({}).samples == 0);
    CHECK(estimate({}).median == 0);
    const auto one = estimate(std::vector<double>{2});
    CHECK(one.median == 2);
    CHECK(one.error == 0);
    CHECK(one.samples == 1);
    const auto equal = estimate(std::vector<double>(100, 7));
    CHECK(equal.median == 7);
    CHECK(equal.error == 0);
    CHECK(equal.dropped == 0);
    CHECK(estimate(std::vector<double>(9, 0)).error == 0);
}

TEST_CASE("what stands far above is dropped, what stands far below is kept", "[calibrate]") {
    // Median of all 5, deviations 4 3 2 1 0 1 2 3 995: median 2, bound 5 + 12.
    const auto high = estimate(std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 1000});
    CHECK(high.dropped == 1);
    CHECK(high.samples == 8);
    CHECK(high.median == 4.5);
    const auto low = estimate(std::vector<double>{-1000, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(low.dropped == 0);
    CHECK(low.median == 5);
    // A thousandth is no disturbance where all others are equal.
    CHECK(estimate(std::vector<double>{1, 1, 1, 1, 1.0005}).dropped == 0);
    CHECK(estimate(std::vector<double>{1, 1, 1, 1, 1.1}).dropped == 1);
}

TEST_CASE("the error is half the interval of the median", "[calibrate]") {
    // 1 ... 100: n/2 -+ 0.98 sqrt(n) = 40.2 and 59.8, ranks 40 and 60 counted from 0: 41 and 61.
    std::vector<double> samples;
    for (int i = 1; i <= 100; ++i) samples.push_back(i);
    const auto result = estimate(samples);
    CHECK(result.median == 50.5);
    CHECK(result.error == Approx(10.0 / 50.5));
    // With the sign of what is measured it has nothing to do.
    for (auto& sample : samples) sample = sample - 200;
    CHECK(estimate(samples).error > 0);
}

TEST_CASE("the interval holds the true median about 95 times of 100", "[calibrate]") {
    lapwing::test::Random random(81);
    int held = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
        std::vector<double> samples(51);
        for (auto& sample : samples) sample = 10 + random.uniform(-1, 1);
        const auto result = estimate(samples);
        if (std::abs(result.median - 10) <= result.error * result.median) ++held;
    }
    CHECK(held > 0.90 * trials);
}

TEST_CASE("a disturbed machine is measured as if it were not", "[calibrate]") {
    lapwing::test::Random random(82);
    for (int trial = 0; trial < 200; ++trial) {
        std::vector<double> samples(50);
        for (auto& sample : samples) {
            sample = 1e-6 * random.uniform(1, 1.02);
            if (random.chance(0.2)) sample *= random.uniform(2, 100);
        }
        CHECK(estimate(samples).median == Approx(1.01e-6).epsilon(0.02));
    }
}
