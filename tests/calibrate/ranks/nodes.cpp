#include "lapwing/calibrate/ranks/nodes.hpp"

#include <array>
#include <catch2/catch.hpp>

using lapwing::Nodes;
using Two = std::array<int, 2>;

TEST_CASE("the main pair is on different nodes where there are several", "[calibrate]") {
    CHECK(Nodes({0, 0}).main_pair() == Two{0, 1});
    CHECK(Nodes({0, 1}).main_pair() == Two{0, 1});
    CHECK(Nodes({0, 0, 2, 2}).main_pair() == Two{0, 2});
    CHECK(Nodes({0, 1, 0, 1}).main_pair() == Two{0, 1});
    CHECK(Nodes({0, 0, 0, 3}).main_pair() == Two{0, 3});
}

TEST_CASE("a pair within a node is rank 0's where it has company", "[calibrate]") {
    CHECK(Nodes({0, 0, 2, 2}).within() == Two{0, 1});
    CHECK(Nodes({0, 1, 0, 1}).within() == Two{0, 2});
    CHECK(Nodes({0, 1, 2, 1}).within() == Two{1, 3});
    CHECK_FALSE(Nodes({0, 1, 2}).within());
}

TEST_CASE("two kinds of pair need a node with two ranks and another node", "[calibrate]") {
    CHECK(Nodes({0, 0, 2}).two_kinds());
    CHECK_FALSE(Nodes({0, 0, 0}).two_kinds());
    CHECK_FALSE(Nodes({0, 1, 2}).two_kinds());
    CHECK_FALSE(Nodes({0, 0}).between());
}
