#include "lapwing/calibrate/statistics/detect.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "support/random.hpp"

using lapwing::detect_outstanding_limit;
using lapwing::test::Random;

namespace {

/// 64 KB … 32 MB, doubling.
std::vector<std::uint64_t> volumes() {
    std::vector<std::uint64_t> result;
    for (std::uint64_t volume = 65536; volume <= 32 << 20; volume *= 2) result.push_back(volume);
    return result;
}

/// Bandwidth of a pipe that holds `filling` bytes and drops to `share` past `limit`.
std::vector<double> bandwidths(double filling, double limit, double share) {
    std::vector<double> result;
    for (const auto volume : volumes()) {
        const auto bytes = static_cast<double>(volume);
        result.push_back(1e9 * bytes / (bytes + filling) * (bytes > limit ? share : 1));
    }
    return result;
}

}  // namespace

TEST_CASE("the volume past which bandwidth drops", "[calibrate]") {
    const double limit = GENERATE(1 << 20, 2 << 20, 4 << 20, 8 << 20);
    const double share = GENERATE(0.2, 0.5, 0.75);
    CHECK(detect_outstanding_limit(volumes(), bandwidths(2e4, limit, share)) ==
          static_cast<std::uint64_t>(limit));
}

TEST_CASE("bandwidth that does not drop for good has no such volume", "[calibrate]") {
    CHECK_FALSE(detect_outstanding_limit({}, {}));
    CHECK_FALSE(detect_outstanding_limit(volumes(), bandwidths(2e4, 1e12, 1)));
    CHECK_FALSE(detect_outstanding_limit(volumes(), bandwidths(1e7, 1e12, 1)));
    // A slow flood, one at the end, and a fast one.
    for (const std::size_t odd : {2U, 5U, 9U}) {
        auto slow = bandwidths(2e4, 1e12, 1);
        slow[odd] /= 2;
        CHECK_FALSE(detect_outstanding_limit(volumes(), slow));
        auto fast = bandwidths(2e4, 1e12, 1);
        fast[odd] *= 2;
        CHECK_FALSE(detect_outstanding_limit(volumes(), fast));
    }
}

TEST_CASE("a drop of any machine is found in noise", "[calibrate]") {
    Random random(11);
    for (int trial = 0; trial < 500; ++trial) {
        const double filling = random.log_uniform(100, 3e4);
        const auto all = volumes();
        const auto at = random.integer(3, all.size() - 3);
        const bool drops = random.chance(0.5);
        auto measured = bandwidths(filling, drops ? static_cast<double>(all[at]) : 1e12,
                                   random.uniform(0.2, 0.7));
        for (auto& bandwidth : measured) bandwidth *= random.uniform(0.97, 1.03);
        const auto volume = detect_outstanding_limit(all, measured);
        CHECK(volume.has_value() == drops);
        if (volume) CHECK(*volume == all[at]);
    }
}
