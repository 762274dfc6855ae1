#include "lapwing/model/stream.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "lapwing/simulate/recurrence/stream_recurrence.hpp"
#include "support/machine.hpp"

using lapwing::LinearCost;
using lapwing::Profile;
using lapwing::model::Stream;
using lapwing::test::Random;

namespace {

/// Costs in which the best chain has few messages, so that all counts can be tried.
Stream any_stream(Random& random, double ratio) {
    Stream x;
    x.G = random.log_uniform(0.01e-9, 100e-9);
    x.L = random.log_uniform(0.1e-6, 1e-3);
    x.o_s.base = random.log_uniform(10e-9, 100e-6);
    x.o_r.base = random.log_uniform(10e-9, 100e-6);
    x.t = ratio * x.G;
    return x;
}

/// The least T for which `count` messages satisfy, for every k,
///   o_s + p S_1 + L + G (S_1 + ... + S_k) + sum over j >= k of (o_r + t S_j) <= T,
/// given the size of the first. For a fixed T each condition bounds the sum of the first k sizes
/// from above, the more loosely the larger the sum before it was; so taking all that is allowed
/// decides whether `volume` can be reached. T by bisection.
double least_time(const Stream& x, double volume, int count, double first) {
    const double take = x.t + x.o_r.per_byte;
    const auto reaches = [&](double T) {
        double sum = 0;
        for (int k = 1; k <= count; ++k) {
            const double fixed = x.o_s(first) + x.L + (count - k + 1) * x.o_r.base;
            double most = (T - fixed - take * (volume - sum)) / x.G;
            if (k == 1) {
                if (most < first) return false;
                most = first;
            }
            if (most < sum) return false;
            sum = std::min(most, volume);
        }
        return sum >= volume * (1 - 1e-13);
    };
    double low = 0;
    double high = 1;
    while (!reaches(high)) high *= 2;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (reaches(middle) ? high : low) = middle;
    }
    return high;
}

/// The least over the size of the first message, which the time is convex in.
double least_time(const Stream& x, double volume, int count) {
    if (count == 1) return least_time(x, volume, 1, volume);
    double low = 0;
    double high = volume;
    for (int i = 0; i < 120; ++i) {
        const double a = low + (high - low) / 3;
        const double b = high - (high - low) / 3;
        if (least_time(x, volume, count, a) <= least_time(x, volume, count, b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return least_time(x, volume, count, low);
}

double least_time(const Stream& x, double volume) {
    double best = std::numeric_limits<double>::infinity();
    int worse = 0;
    for (int count = 1; count <= 64 && worse < 4; ++count) {
        const double time = least_time(x, volume, count);
        worse = time < best ? 0 : worse + 1;
        best = std::min(best, time);
    }
    return best;
}

}  // namespace

TEST_CASE("geometric sums against the sums themselves", "[model]") {
    const double r = GENERATE(0.0, 0.3, 0.9, 1 - 1e-3, 1 - 1e-6, 1 - 1e-9, 1.0, 1 + 1e-12, 1 + 1e-9,
                              1 + 1e-7, 1 + 1e-6, 1 + 1e-5, 1 + 1e-4, 1 + 1e-3, 1.01, 1.5, 4.0);
    const int n = GENERATE(1, 2, 3, 10, 100, 1000);
    long double power = 1;
    long double first = 0;
    long double second = 0;
    for (int i = 0; i < n; ++i) {
        second += first;
        first += power;
        power *= r;
    }
    if (power > 1e300L) return;
    const auto sums = lapwing::model::geometric_sums(r, n);
    CHECK(sums.powers == Approx(static_cast<double>(power)).epsilon(1e-9).margin(1e-300));
    CHECK(sums.first == Approx(static_cast<double>(first)).epsilon(1e-7));
    CHECK(sums.second == Approx(static_cast<double>(second)).epsilon(1e-7).margin(1e-12));
}

TEST_CASE("each message of a chain arrives when the one before is consumed", "[model]") {
    Random random(3);
    for (int trial = 0; trial < 300; ++trial) {
        const double ratio = random.pick({0.0, 0.5, 1.0, 1.0 + 1e-7, 2.0});
        Stream x = any_stream(random, ratio);
        if (random.chance(0.5)) x.o_r.per_byte = random.uniform(0, 2) * x.G;
        if (random.chance(0.5)) x.h = random.uniform(0, 0.9) * x.o_r.base;
        const double volume = random.log_uniform(1e3, 1e8);
        const int n = static_cast<int>(random.integer(1, 20));
        double size = lapwing::model::chain_first(x, volume, n);
        double sum = 0;
        double scale = 0;
        for (int k = 0; k < n; ++k) {
            sum += size;
            scale += std::abs(size);
            size = (x.o_r(size) + x.t * size - x.h) / x.G;
        }
        CHECK(sum == Approx(volume).epsilon(1e-6).margin(1e-6 * scale));
    }
}

TEST_CASE("blocking is one message, then all computation", "[model]") {
    // 2 + 0.5 x 10 to send, 3 on the way, 10 x 1, 4 + 0.25 x 10 to receive, 10 x 6 to compute.
    const Stream x{.L = 3, .o_s = {2, 0.5}, .o_r = {4, 0.25}, .G = 1, .t = 6};
    CHECK(lapwing::model::blocking(x, 10) == 7 + 3 + 10 + 6.5 + 60);
    CHECK(lapwing::simulate::stream_seconds(x, std::vector<double>{10}) == 86.5);
}

TEST_CASE("the limit by hand", "[model]") {
    // G = t = 1, o_r = 1, o_s = L = 0: messages grow by 1. 3 bytes as 1 + 2:
    // 1 arrives at 1, consumed at 3 when 2 arrives, consumed at 6. As 3: 3 + 1 + 3 = 7.
    // As 0 + 1 + 2: 0 + 3 + 3 = 6 as well, so no better.
    const Stream x{.L = 0, .o_s = {}, .o_r = {1, 0}, .G = 1, .t = 1};
    CHECK(lapwing::model::stream_limit(x, 3) == Approx(6));
    CHECK(lapwing::model::chain_first(x, 3, 2) == Approx(1));
    CHECK(lapwing::model::chain_count(x, 3) == 2);
    // 6 bytes as 1 + 2 + 3: 1 + 3 x 1 + 6 = 10.
    CHECK(lapwing::model::stream_limit(x, 6) == Approx(10));
    CHECK(lapwing::model::chain_count(x, 6) == 3);
}

TEST_CASE("the limit is what an optimiser finds", "[model]") {
    const double ratio = GENERATE(0.0, 0.1, 0.5, 1 - 1e-7, 1.0, 1 + 1e-7, 1.3, 3.0);
    const bool receive_per_byte = GENERATE(false, true);
    Random random(static_cast<std::uint64_t>(ratio * 1000) + 7);
    for (int trial = 0; trial < 4; ++trial) {
        Stream x = any_stream(random, ratio);
        if (receive_per_byte) x.o_r.per_byte = random.uniform(0, 2) * x.G;
        // Up to a few times the volume whose wire time is an overhead: few messages.
        const double volume = x.o_r.base / x.G * random.log_uniform(0.1, 100);
        INFO("ratio " << ratio << ", receive per byte " << x.o_r.per_byte / x.G);
        CHECK(lapwing::model::stream_limit(x, volume) ==
              Approx(least_time(x, volume)).epsilon(1e-6));
    }
}

TEST_CASE("the limit knows nothing of headers", "[model]") {
    Stream x{.L = 1, .o_s = {1, 0}, .o_r = {1, 0}, .G = 1, .t = 1};
    const double limit = lapwing::model::stream_limit(x, 100);
    x.h = 0.5;
    CHECK(lapwing::model::stream_limit(x, 100) == limit);
}

TEST_CASE("no choice of messages beats the limit", "[model]") {
    const bool send_per_byte = GENERATE(false, true);
    Random random(5);
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < 3000; ++trial) {
        Stream x = any_stream(random, random.pick({0.0, 0.2, 1.0, 2.0, 10.0}));
        if (random.chance(0.5)) x.o_r.per_byte = random.uniform(0, 2) * x.G;
        if (send_per_byte) x.o_s.per_byte = random.uniform(0, 2) * x.G;
        const double volume = x.o_r.base / x.G * random.log_uniform(0.1, 100);
        const double limit = lapwing::model::stream_limit(x, volume);
        for (int choice = 0; choice < 20; ++choice) {
            std::vector<double> sizes;
            double sum = 0;
            const auto count = random.integer(1, 8);
            const double growth = random.log_uniform(0.5, 4);
            for (std::uint64_t k = 0; k < count; ++k) {
                sizes.push_back(random.uniform(0.5, 1.5) *
                                std::pow(growth, static_cast<double>(k)));
                sum += sizes.back();
            }
            for (auto& size : sizes) size *= volume / sum;
            least = std::min(least, lapwing::simulate::stream_seconds(x, sizes) / limit);
        }
    }
    CHECK(least >= 1 - 1e-9);
}

TEST_CASE("the count of a chain is where one more no longer pays", "[model]") {
    Random random(8);
    for (int trial = 0; trial < 200; ++trial) {
        const Stream x = any_stream(random, random.pick({0.25, 1.0, 1.6, 3.0}));
        const double volume = x.o_r.base / x.G * random.log_uniform(0.1, 1000);
        const int n = lapwing::model::chain_count(x, volume);
        const auto time = [&](int count) {
            const double first = lapwing::model::chain_first(x, volume, count);
            return first > 0 ? x.G * first + count * x.o_r.base
                             : std::numeric_limits<double>::infinity();
        };
        CHECK(time(n) <= time(n + 1) * (1 + 1e-9));
        if (n > 1) CHECK(time(n) <= time(n - 1) * (1 + 1e-9));
    }
}

TEST_CASE("a stream's costs come from the longest burst measured", "[model]") {
    const Profile bare = lapwing::test::infiniband();
    const auto x = lapwing::model::stream_costs(bare, 1e6, 0.25);
    CHECK(x.L == bare.loggp.L);
    CHECK(x.G == bare.loggp.G);
    CHECK(x.t == 0.25e-6);
    CHECK(x.o_s.base == bare.loggp.o_s);
    CHECK(x.o_s.per_byte == 0);
    CHECK(x.o_r.base == bare.loggp.o_r);

    Profile profile = bare;
    profile.overhead = {.sizes = {1000, 2000, 3000},
                        .bursts = {1, 8},
                        .send = {{9, 2}, {9, 3}, {9, 100}},
                        .receive = {1, 3, 100}};
    const auto y = lapwing::model::stream_costs(profile, 2500, 0);
    CHECK(y.o_s.base == Approx(1));
    CHECK(y.o_s.per_byte == Approx(1e-3));
    // Two points from 1 to 3 would start at -1: through the origin instead, s = (1000/1 + 2000/3) /
    // (1000^2/1 + 2000^2/9) = 1666.67 / 1444444 = 1.153846e-3.
    CHECK(y.o_r.base == 0);
    CHECK(y.o_r.per_byte == Approx(1.1538461538e-3));
}

TEST_CASE("what a message takes on the wire beyond its bytes shows in the flood", "[model]") {
    Profile profile = lapwing::test::infiniband();
    profile.overhead = {.sizes = {8, 1 << 20},
                        .bursts = {1},
                        .send = {{1.5e-6}, {1.5e-6}},
                        .receive = {1.5e-6, 1.5e-6}};
    constexpr double header = 0.2e-6;
    auto& table = profile.bandwidth;
    for (std::uint64_t size = 8; size <= 1 << 20; size *= 2) {
        const auto bytes = static_cast<double>(size);
        // Short messages come at the processor's pace and tell nothing of the wire.
        const double gap = std::max(1.5e-6, header + profile.loggp.G * bytes);
        table.sizes.push_back(size);
        table.unidirectional.push_back(bytes / gap);
        table.bidirectional.push_back(2 * bytes / gap);
    }
    CHECK(lapwing::model::stream_costs(profile, 1 << 20, 1e-3).h == Approx(header).epsilon(1e-3));
    profile.nic = lapwing::Nic::sharing;
    CHECK(lapwing::model::stream_costs(profile, 1 << 20, 1e-3).h == 0);
    profile.nic = lapwing::Nic::serialising;
    // Never more than what one overhead hides.
    for (auto& value : profile.overhead.receive) value = 0.1e-6;
    CHECK(lapwing::model::stream_costs(profile, 1 << 20, 1e-3).h <= 0.1e-6);
    table = {};
    CHECK(lapwing::model::stream_costs(profile, 1 << 20, 1e-3).h == 0);
}
