#include "lapwing/model/strided.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <vector>

using lapwing::Log3P;
using lapwing::model::crowding;
using lapwing::model::strided;

namespace {

/// One size; strides of a line and less, and of both kinds beyond.
Log3P both_kinds() {
    Log3P table;
    table.sizes = {1024};
    table.strides = {16, 64, 512, 576, 4096, 4160};
    table.element = 8;
    return table;
}

const std::vector<std::vector<double>> costs = {{1, 2, 20, 5, 50, 8}};

double cost(double d) { return strided(both_kinds(), costs, 1024, d, 0); }

}  // namespace

TEST_CASE("powers of two crowd into few sets of a cache, odd numbers of lines into none",
          "[model]") {
    for (const double d : {1.0, 8.0, 24.0, 32.0, 64.0, 72.0, 192.0, 576.0, 1032.0, 4160.0, 1e6 + 1})
        CHECK(crowding(d) == 0);
    for (const double d : {128.0, 256.0, 4096.0, 1048576.0}) CHECK(crowding(d) == 1);
    // 512 of 3 * 512: three doublings beyond a line, of log2 24.
    CHECK(crowding(1536) == Approx(3 / std::log2(24)));
    CHECK(crowding(0) == 0);
}

TEST_CASE("what strides cost is taken from those of their kind", "[model]") {
    const Log3P table = both_kinds();
    for (std::size_t i = 0; i < table.strides.size(); ++i)
        CHECK(cost(static_cast<double>(table.strides[i])) == Approx(costs[0][i]));
    // Between two of a kind by the logarithm; beyond the last as that.
    CHECK(cost(1024) == Approx(20 + 30.0 / 3));
    CHECK(cost(2048) == Approx(20 + 60.0 / 3));
    CHECK(cost(8192) == 50);
    CHECK(cost(8200) == 8);
    CHECK(cost(2056) == Approx(5 + 3 * std::log(2056.0 / 576) / std::log(4160.0 / 576)));
    // Up to a line there is one kind: 24 lies between 16 and 64.
    CHECK(cost(24) == Approx(1 + (24.0 - 16) / (64 - 16)));
    CHECK(cost(8) == 0);
    // A stride that crowds in part lies between the two.
    const double crowded = 20 + 30 * std::log2(3.0) / 3;
    const double spread = 5 + 3 * std::log(1536.0 / 576) / std::log(4160.0 / 576);
    CHECK(cost(1536) == Approx(spread + crowding(1536) * (crowded - spread)));
}

TEST_CASE("a table of one kind of strides serves all", "[model]") {
    Log3P table;
    table.sizes = {1024};
    table.strides = {16, 64, 256, 1024};
    table.element = 8;
    const std::vector<std::vector<double>> rows = {{1, 2, 3, 5}};
    CHECK(strided(table, rows, 1024, 256, 0) == 3);
    CHECK(strided(table, rows, 1024, 512, 0) == Approx(4));
    CHECK(strided(table, rows, 1024, 520, 0) ==
          Approx(3 + 2 * std::log(520.0 / 256) / std::log(4.0)));
    CHECK(strided(table, rows, 2048, 1024, 0) == 10);  // beyond the sizes, in proportion
    CHECK(strided({}, {}, 1024, 64, 7) == 0);
}
