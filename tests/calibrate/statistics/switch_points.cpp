#include "lapwing/calibrate/statistics/switch_points.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "support/random.hpp"

using lapwing::Estimate;
using lapwing::switch_points;
using lapwing::SwitchPoint;
using lapwing::test::Random;

namespace {

/// A machine whose time for a message is known: a line, jumps on it, a second slope from `bend` on.
struct Machine {
    double base = 5e-6;
    double per_byte = 1e-9;
    std::vector<SwitchPoint> jumps = {};
    double bend = 1e18;
    double steeper = 0;  ///< seconds per byte more
    double noise = 0;    ///< relative, of a median

    [[nodiscard]] double time(std::uint64_t size) const {
        const auto bytes = static_cast<double>(size);
        double sum = base + per_byte * bytes + steeper * std::max(0.0, bytes - bend);
        for (const auto& point : jumps)
            if (size > point.size) sum += point.jump;
        return sum;
    }
    [[nodiscard]] Estimate measure(std::uint64_t size, Random& random) const {
        const double off = noise * random.uniform(-1, 1);
        return {.median = time(size) * (1 + off), .error = noise, .samples = 9, .dropped = 0};
    }
};

/// Every power of two from 16 bytes to 1 MB, and one size between any two.
std::map<std::uint64_t, Estimate> grid(const Machine& machine, Random& random) {
    std::map<std::uint64_t, Estimate> known;
    for (std::uint64_t size = 16; size <= 1 << 20; size *= 2) {
        known[size] = machine.measure(size, random);
        known[size + size / 2] = machine.measure(size + size / 2, random);
    }
    return known;
}

std::vector<SwitchPoint> found(const Machine& machine, Random& random) {
    return switch_points(grid(machine, random),
                         [&](std::uint64_t size) { return machine.measure(size, random); });
}

}  // namespace

TEST_CASE("a jump is found to the byte", "[calibrate]") {
    Random random(1);
    const std::uint64_t size = GENERATE(100, 1023, 1024, 4040, 12287, 65480, 65536, 999999);
    const double sign = GENERATE(-0.3, 0.3, 2.0);
    Machine machine;
    machine.jumps = {{size, sign * machine.time(size)}};
    const auto points = found(machine, random);
    REQUIRE(points.size() == 1);
    CHECK(points[0].size == size);
    CHECK(points[0].jump == Approx(machine.jumps[0].jump + machine.per_byte));
}

TEST_CASE("a line has no jumps, nor has one that bends", "[calibrate]") {
    Random random(2);
    for (int trial = 0; trial < 300; ++trial) {
        Machine machine;
        machine.base = random.log_uniform(0.1e-6, 1e-3);
        machine.per_byte = random.log_uniform(0.01e-9, 100e-9);
        machine.noise = random.pick({0.0, 0.005, 0.02});
        CHECK(found(machine, random).empty());
        // Messages that no longer fit in a cache.
        machine.bend = random.log_uniform(64, 1 << 20);
        machine.steeper = machine.per_byte * random.uniform(0, 3);
        CHECK(found(machine, random).empty());
    }
}

TEST_CASE("jumps of any machine are found in noise, and nothing else", "[calibrate]") {
    Random random(3);
    int missed = 0;
    constexpr int trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        Machine machine;
        machine.base = random.log_uniform(0.1e-6, 1e-3);
        machine.per_byte = random.log_uniform(0.01e-9, 100e-9);
        machine.noise = random.pick({0.0, 0.005, 0.01});
        const auto first = static_cast<std::uint64_t>(random.log_uniform(64, 8192));
        const auto second = static_cast<std::uint64_t>(random.log_uniform(40000, 500000));
        machine.jumps = {{first, random.uniform(0.4, 3) * machine.time(first)}};
        machine.jumps.push_back({second, random.uniform(0.4, 3) * machine.time(second)});
        const auto points = found(machine, random);
        CHECK(points.size() <= 2);
        for (const auto& point : points) {
            const auto near = [&](std::uint64_t size) {
                return std::abs(static_cast<double>(point.size) - static_cast<double>(size)) <= 1;
            };
            CHECK((near(first) || near(second)));
        }
        if (points.size() < 2) ++missed;
    }
    CHECK(missed <= trials / 20);
}

TEST_CASE("too little to look at holds no jump", "[calibrate]") {
    const auto unasked = [](std::uint64_t) -> Estimate { throw std::logic_error("asked"); };
    CHECK(switch_points({}, unasked).empty());
    CHECK(switch_points({{8, {.median = 1}}}, unasked).empty());
    CHECK(switch_points({{8, {.median = 1}}, {16, {.median = 1}}}, unasked).empty());
}
