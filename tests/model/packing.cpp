#include "lapwing/model/packing.hpp"

#include <catch2/catch.hpp>

using lapwing::Log3P;
using lapwing::model::packing;

namespace {

/// Packing by hand pays at the long stride only. Seconds do not matter.
Log3P table() {
    Log3P t;
    t.sizes = {1024, 4096};
    t.strides = {16, 1024};
    t.element = 8;
    t.T_mem = {1, 4};
    t.o_mw = {2, 8};
    t.o_net = {10, 30};
    t.peer = {12, 38};
    t.l_mw = {{3, 20}, {12, 90}};
    t.packing = {{2, 4}, {9, 20}};
    t.remote = {{15, 30}, {50, 120}};
    t.packed = {{16, 20}, {50, 78}};
    t.isolated = {20, 40};
    t.isolated_strided = {{24, 36}, {60, 70}};
    t.isolated_packed = {{22, 38}, {55, 90}};
    return t;
}

}  // namespace

TEST_CASE("a derived type and packing by hand take what was measured", "[model]") {
    CHECK(packing(table(), 1024, 16).derived == Approx(15));
    CHECK(packing(table(), 1024, 16).packed == Approx(16));
    CHECK_FALSE(packing(table(), 1024, 16).pack());
    CHECK(packing(table(), 4096, 1024).derived == Approx(120));
    CHECK(packing(table(), 4096, 1024).packed == Approx(78));
    CHECK(packing(table(), 4096, 1024).pack());
}

TEST_CASE("between what was measured and beyond", "[model]") {
    CHECK(packing(table(), 2560, 16).derived == Approx(32.5));
    CHECK(packing(table(), 1024, 128).derived == Approx(22.5));  // half-way in log d
    CHECK(packing(table(), 1024, 8).derived == Approx(12));      // contiguous
    CHECK(packing(table(), 8192, 1024).derived == Approx(240));
    CHECK(packing(table(), 8192, 1024).packed == Approx(2 * 78));
    CHECK(packing(table(), 1024, 8).packed == Approx(12));
}

TEST_CASE("for an isolated message another way may be faster", "[model]") {
    using lapwing::model::isolated_packing;
    CHECK(lapwing::model::at_size(table(), table().isolated, 2560) == Approx(30));
    CHECK(lapwing::model::at_size(table(), table().isolated, 8192) == Approx(80));
    CHECK(isolated_packing(table(), 1024, 16).pack());
    CHECK(isolated_packing(table(), 1024, 8).derived == Approx(20));
    CHECK(isolated_packing(table(), 2560, 16).packed == Approx(38.5));
    CHECK_FALSE(isolated_packing(table(), 4096, 1024).pack());
}

TEST_CASE("LogGP never packs", "[model]") {
    for (const double stride : {16., 1024.})
        CHECK_FALSE(lapwing::model::packing_by_loggp(table(), 4096, stride).pack());
}
