#include "lapwing/model/log3p.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/model/lognp.hpp"

using lapwing::Log3P;
using lapwing::model::crossover;
using lapwing::model::Log3PTerms;
using lapwing::model::Transfer;

namespace {

/// Titan at 16 KB, us (Cameron 2007, figure 4).
Log3P titans_table() {
    Log3P table;
    table.sizes = {16384};
    table.strides = {1024};
    table.element = 8;
    table.T_mem = {3};
    table.o_mw = {29};
    table.o_net = {131};
    table.l_mw = {{420}};
    return table;
}

Log3P larger() {
    Log3P table;
    table.sizes = {1024, 4096};
    table.strides = {16, 64};
    table.element = 8;
    table.o_mw = {1, 4};
    table.o_net = {10, 16};
    table.l_mw = {{2, 6}, {8, 24}};
    return table;
}

}  // namespace

TEST_CASE("log_3P is log_nP of three transfers", "[model]") {
    // The middleware of both sides, with half of the cost each, and the network.
    const Log3PTerms cost{.o_mw = 29, .l_mw = 420, .o_net = 131};
    const Transfer chain[] = {{.o = 14.5, .l = 210}, {.o = 131}, {.o = 14.5, .l = 210}};
    CHECK(cost.total() == Approx(lapwing::model::lognp(chain)));
}

TEST_CASE("log_3P of Titan, as printed", "[model]") {
    const Log3P table = titans_table();
    const auto strided = lapwing::model::log3p(table, 16384, 1024);
    CHECK(strided.o_mw == 29);
    CHECK(strided.l_mw == 420);
    CHECK(strided.o_net == 131);
    CHECK(strided.total() == 580);
    // To oneself, with the copy instead of the network: 452 us.
    CHECK(strided.o_mw + strided.l_mw + table.T_mem[0] == 452);
    CHECK(lapwing::model::log3p(table, 16384, 8).total() == 160);
    CHECK(lapwing::model::ratio(strided, 580) == 1);
    CHECK(lapwing::model::ratio(strided, 464) == Approx(1.25));
    CHECK(lapwing::model::ratio(strided, 725) == Approx(0.8));
    CHECK(lapwing::model::ratio(strided, 0) == 1);
}

TEST_CASE("log_3P between what was measured, and beyond it", "[model]") {
    const Log3P table = larger();
    const auto cost = [&](double s, double d) { return lapwing::model::log3p(table, s, d); };
    CHECK(cost(1024, 16).total() == 13);
    CHECK(cost(4096, 64).total() == 44);
    CHECK(cost(2560, 16).total() == Approx(2.5 + 5 + 13));  // half-way in s
    CHECK(cost(1024, 40).l_mw == Approx(4));                // half-way in d
    CHECK(cost(1024, 12).l_mw == Approx(1));
    CHECK(cost(1024, 8).l_mw == 0);
    CHECK(cost(1024, 1).l_mw == 0);
    CHECK(cost(1024, 1e6).l_mw == 6);
    CHECK(cost(8, 16).total() == 13);
    CHECK(cost(8192, 64).total() == Approx(88));
    CHECK(lapwing::model::log3p({}, 1024, 16).total() == 0);
}

TEST_CASE("the middleware overtakes the network where the lines cross", "[model]") {
    const std::vector<std::uint64_t> sizes = {1000, 2000, 4000, 8000};
    const std::vector<double> network = {10, 11, 13, 17};
    // 2 s / 1000: 10 + (s - 1000) / 1000 = 2 s / 1000 at s = 9000, 4 s / 1000 at 3000.
    CHECK_FALSE(crossover(sizes, std::vector<double>{2, 4, 8, 16}, network));
    CHECK(crossover(sizes, std::vector<double>{4, 8, 16, 32}, network) == 3000);
    // Always, never, and for a while only.
    CHECK(crossover(sizes, std::vector<double>{20, 20, 20, 20}, network) == 1000);
    CHECK_FALSE(crossover(sizes, std::vector<double>{10, 11, 13, 17}, network));
    CHECK_FALSE(crossover(sizes, std::vector<double>{20, 20, 20, 1}, network));
    const auto late = crossover(sizes, std::vector<double>{20, 1, 1, 20}, network);
    REQUIRE(late);
    CHECK(*late > 4000);
    CHECK(*late <= 8000);
    CHECK_FALSE(crossover({}, {}, {}));
}
