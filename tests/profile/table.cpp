#include "lapwing/profile/table.hpp"

#include <catch2/catch.hpp>

#include "support/machine.hpp"

using lapwing::LinearCost;
using lapwing::Profile;
using Sizes = std::vector<std::uint64_t>;
using Values = std::vector<double>;

namespace {

std::vector<double> on_line(const Sizes& sizes, double base, double per_byte) {
    Values values;
    for (const auto size : sizes) values.push_back(base + per_byte * static_cast<double>(size));
    return values;
}

/// Sum of squared relative errors: what `fit_line` promises to make least.
double misfit(const Sizes& sizes, const Values& values, const LinearCost& line) {
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double error = line(static_cast<double>(sizes[i])) / values[i] - 1;
        sum += error * error;
    }
    return sum;
}

const Sizes octaves = {8, 64, 512, 4096, 32768, 262144, 2097152};

}  // namespace

TEST_CASE("interpolate is linear inside a table and constant outside", "[profile]") {
    const Sizes sizes = {10, 20, 40};
    const Values values = {1, 3, 2};
    CHECK(lapwing::interpolate(sizes, values, 0) == 1);
    CHECK(lapwing::interpolate(sizes, values, 10) == 1);
    CHECK(lapwing::interpolate(sizes, values, 15) == 2);
    CHECK(lapwing::interpolate(sizes, values, 20) == 3);
    CHECK(lapwing::interpolate(sizes, values, 25) == 2.75);  // 3 - 5/20
    CHECK(lapwing::interpolate(sizes, values, 40) == 2);
    CHECK(lapwing::interpolate(sizes, values, 1e18) == 2);
    CHECK(lapwing::interpolate({}, {}, 5) == 0);
    CHECK(lapwing::interpolate({7}, {4}, 1) == 4);
    CHECK(lapwing::interpolate({7}, {4}, 99) == 4);
}

TEST_CASE("a cost goes on beyond its table", "[profile]") {
    const Sizes sizes = {10, 20, 40};
    CHECK(lapwing::extrapolate(sizes, {1, 2, 3}, 25) == 2.25);
    CHECK(lapwing::extrapolate(sizes, {1, 2, 3}, 40) == 3);
    CHECK(lapwing::extrapolate(sizes, {1, 2, 3}, 80) == Approx(5));  // 1/20 a byte
    CHECK(lapwing::extrapolate(sizes, {3, 3, 3}, 80) == 3);
    CHECK(lapwing::extrapolate(sizes, {1, 3, 2}, 80) == 2);
    CHECK(lapwing::extrapolate(sizes, {1, 1, 5}, 80) == Approx(10));  // not more than twice
    CHECK(lapwing::extrapolate({7}, {4}, 99) == 4);
    CHECK(lapwing::extrapolate({}, {}, 5) == 0);
}

TEST_CASE("fit_line recovers a straight line", "[profile]") {
    const double base = GENERATE(0.0, 1e-8, 1.5e-6, 1e-3);
    const double per_byte = GENERATE(0.0, 1e-12, 1e-9, 1e-7);
    if (base == 0 && per_byte == 0) return;
    const LinearCost line = lapwing::fit_line(octaves, on_line(octaves, base, per_byte), 1e9);
    const auto largest = static_cast<double>(octaves.back());
    // What is small beside the other part over the whole range cannot be told from the rounding.
    CHECK(line.base == Approx(base).epsilon(1e-6).margin(1e-9 * per_byte * 8));
    CHECK(line.per_byte == Approx(per_byte).epsilon(1e-6).margin(1e-9 * base / largest));
}

TEST_CASE("fit_line looks no further than asked", "[profile]") {
    Values values = on_line(octaves, 1e-6, 1e-9);
    values[5] *= 100;
    values[6] *= 100;
    const LinearCost line = lapwing::fit_line(octaves, values, 32768);
    CHECK(line.base == Approx(1e-6));
    CHECK(line.per_byte == Approx(1e-9));
    // Nothing at or below 5 bytes: the first entry has to do.
    const LinearCost constant = lapwing::fit_line(octaves, values, 5);
    CHECK(constant.base == Approx(values[0]));
    CHECK(constant.per_byte == 0);
}

TEST_CASE("fit_line of noisy values is the best line", "[profile]") {
    lapwing::test::Random random(11);
    for (int trial = 0; trial < 200; ++trial) {
        const double base = random.log_uniform(1e-8, 1e-4);
        const double per_byte = random.log_uniform(1e-12, 1e-7);
        Values values = on_line(octaves, base, per_byte);
        for (auto& value : values) value *= random.uniform(0.8, 1.2);
        const LinearCost line = lapwing::fit_line(octaves, values, 1e9);
        REQUIRE(line.base >= 0);
        REQUIRE(line.per_byte >= 0);
        const double least = misfit(octaves, values, line);
        for (const double f : {0.9, 0.99, 1.01, 1.1}) {
            CHECK(misfit(octaves, values, {f * line.base, line.per_byte}) >= least * (1 - 1e-9));
            CHECK(misfit(octaves, values, {line.base, f * line.per_byte}) >= least * (1 - 1e-9));
            CHECK(misfit(octaves, values, {f * line.base, line.per_byte / f}) >=
                  least * (1 - 1e-9));
        }
    }
}

TEST_CASE("fit_line keeps both coefficients from being negative", "[profile]") {
    const Sizes sizes = {100, 200};
    const LinearCost falling = lapwing::fit_line(sizes, {4, 2}, 1e9);
    // The constant c least in (c/4-1)^2 + (c/2-1)^2: c = (1/4 + 1/2) / (1/16 + 1/4) = 2.4.
    CHECK(falling.base == Approx(2.4));
    CHECK(falling.per_byte == 0);
    // From 1 to 4 the line would start at -2. Through the origin, s least in (100s-1)^2+(50s-1)^2:
    // s = (100 + 50) / (100^2 + 50^2) = 0.012.
    const LinearCost steep = lapwing::fit_line(sizes, {1, 4}, 1e9);
    CHECK(steep.base == 0);
    CHECK(steep.per_byte == Approx(0.012));
}

TEST_CASE("fit_line of little or nothing", "[profile]") {
    CHECK(lapwing::fit_line({}, {}, 1e9).base == 0);
    CHECK(lapwing::fit_line({8}, {3e-6}, 1e9).base == Approx(3e-6));
    CHECK(lapwing::fit_line({8}, {3e-6}, 1e9).per_byte == 0);
    CHECK(lapwing::fit_line(octaves, Values(octaves.size(), 0.0), 1e9).base == 0);
    CHECK(lapwing::fit_line(octaves, Values(octaves.size(), 0.0), 1e9).per_byte == 0);
    // Zeros were too short to be timed and say nothing.
    Values values = on_line(octaves, 2e-6, 1e-9);
    values[0] = 0;
    CHECK(lapwing::fit_line(octaves, values, 1e9).base == Approx(2e-6));
    CHECK(lapwing::fit_line(octaves, values, 1e9).per_byte == Approx(1e-9));
}

TEST_CASE("overheads come from the tables", "[profile]") {
    const Profile profile = lapwing::test::full_profile();
    CHECK(send_overhead(profile, 8, 1) == 1.1e-6);
    CHECK(send_overhead(profile, 8, 7) == 1.1e-6);  // the burst measured below
    CHECK(send_overhead(profile, 8, 8) == 1.2e-6);
    CHECK(send_overhead(profile, 8, 1000) == 1.2e-6);
    CHECK(send_overhead(profile, 8, 0) == 1.1e-6);            // below all measured: the first
    CHECK(send_overhead(profile, 516, 8) == Approx(1.4e-6));  // half way from 8 to 1024
    CHECK(send_overhead(profile, 1e9, 1) == 7.1e-6);
    CHECK(receive_overhead(profile, 516) == Approx(1.4e-6));
    CHECK(receive_overhead(profile, 1) == 0.9e-6);
    CHECK(gap_per_byte(profile, 8) == 1 / 7e6);
    CHECK(gap_per_byte(profile, 1e12) == 1 / 3e9);
}

TEST_CASE("an entry goes where its size belongs, or in the place of the one there", "[profile]") {
    std::vector<std::uint64_t> sizes = {8, 64};
    std::vector<double> one = {1, 2};
    std::vector<double> other = {10, 20};
    const auto put = [&](std::uint64_t size, double value) {
        lapwing::insert_row(sizes, size, {{&one, value}, {&other, 10 * value}});
    };
    put(16, 1.5);
    put(4, 0.5);
    put(100, 3);
    put(64, 2.5);
    CHECK(sizes == std::vector<std::uint64_t>{4, 8, 16, 64, 100});
    CHECK(one == std::vector<double>{0.5, 1, 1.5, 2.5, 3});
    CHECK(other == std::vector<double>{5, 10, 15, 25, 30});
}

TEST_CASE("where a table is missing the parameters serve", "[profile]") {
    Profile profile = lapwing::test::infiniband();
    CHECK(send_overhead(profile, 4096, 4) == profile.loggp.o_s);
    CHECK(receive_overhead(profile, 4096) == profile.loggp.o_r);
    CHECK(gap_per_byte(profile, 4096) == profile.loggp.G);
    profile.bandwidth = {.sizes = {8}, .unidirectional = {0}, .bidirectional = {0}};
    CHECK(gap_per_byte(profile, 8) == profile.loggp.G);
    // Sizes without bursts: rows of nothing.
    profile.overhead = {.sizes = {8}, .bursts = {}, .send = {{}}, .receive = {7e-6}};
    CHECK(send_overhead(profile, 8, 1) == profile.loggp.o_s);
    CHECK(receive_overhead(profile, 8) == 7e-6);
}

TEST_CASE("messages share a wire but those that leave in order", "[profile]") {
    Profile profile = lapwing::test::infiniband();
    profile.in_order_up_to = 4096;
    CHECK_FALSE(shares_wire(profile, 65536));  // a serialising interface
    profile.nic = lapwing::Nic::sharing;
    CHECK(shares_wire(profile, 4097));
    CHECK_FALSE(shares_wire(profile, 4096));
    profile.in_order_up_to = 0;
    CHECK(shares_wire(profile, 1));
}

TEST_CASE("a flood goes by the wire where that takes twice as long as a processor", "[profile]") {
    CHECK(lapwing::is_wire_bound(1e-9, 2000, 1e-6));
    CHECK_FALSE(lapwing::is_wire_bound(1e-9, 1999, 1e-6));
}

TEST_CASE("a profile knows what strided messages cost, or says that it does not", "[profile]") {
    Profile profile = lapwing::test::full_profile();
    CHECK(find_strided_costs(profile) == &*profile.log3p);
    CHECK(&strided_costs(profile) == &*profile.log3p);
    profile.log3p->strides.clear();
    CHECK(find_strided_costs(profile) == nullptr);
    CHECK_THROWS_WITH(strided_costs(profile), Catch::Contains("calibrate --only log3p"));
    profile.log3p.reset();
    CHECK(find_strided_costs(profile) == nullptr);
}
