#include "lapwing/model/cameron2007.hpp"

#include <catch2/catch.hpp>

#include "lapwing/model/point_to_point.hpp"

namespace cameron = lapwing::model::cameron2007;
using lapwing::LogGP;
using lapwing::model::Log3PTerms;

namespace {

/// Titan, us: table 1, and figure 4 at 16 KB and stride 1 KB.
constexpr LogGP titan_cluster{.L = 13.62, .o_s = 5.9, .o_r = 5.9, .g = 14.6, .G = 0.00448};
constexpr Log3PTerms strided_message{.o_mw = 29, .l_mw = 420, .o_net = 131};
constexpr Log3PTerms contiguous{.o_mw = 29, .l_mw = 0, .o_net = 131};

}  // namespace

TEST_CASE("Titan's predictions by the printed formulas", "[model][cameron]") {
    CHECK(strided_message.total() == 580);
    CHECK(lapwing::model::loggp(titan_cluster, 16384) == Approx(98.816).epsilon(1e-4));
    // 16 x (14.5 + 210) + 131
    CHECK(cameron::linear(strided_message, 16) == Approx(3723));
    CHECK(cameron::linear(contiguous, 16) == Approx(363));
    CHECK(cameron::tree(strided_message, 16) == Approx(4 * 580));
    CHECK(cameron::tree(strided_message, 32) == Approx(5 * 580));
    // 25.42 + 15 x 73.396 + 14 x 14.6, and 4 x 98.816 + 3 x 14.6
    CHECK(cameron::linear(titan_cluster, 16, 16384) == Approx(1330.76).epsilon(1e-4));
    CHECK(cameron::tree(titan_cluster, 16, 16384) == Approx(439.06).epsilon(1e-4));
}

TEST_CASE("a broadcast to one other is one message", "[model][cameron]") {
    CHECK(cameron::linear(strided_message, 2) == Approx(strided_message.total()));
    CHECK(cameron::tree(strided_message, 2) == Approx(strided_message.total()));
    CHECK(cameron::linear(titan_cluster, 2, 100) ==
          Approx(lapwing::model::loggp(titan_cluster, 100)));
    CHECK(cameron::tree(titan_cluster, 2, 100) ==
          Approx(lapwing::model::loggp(titan_cluster, 100)));
    CHECK(cameron::linear(strided_message, 1) == 0);
    CHECK(cameron::tree(strided_message, 1) == 0);
    CHECK(cameron::linear(titan_cluster, 1, 100) == 0);
    CHECK(cameron::tree(titan_cluster, 1, 100) == 0);
}

TEST_CASE("the hybrid is linear in one group and a tree of groups of one", "[model][cameron]") {
    // Figure 9: 8 nodes.
    CHECK(cameron::grouped(strided_message, 8, 8) == cameron::linear(strided_message, 8));
    CHECK(cameron::grouped(strided_message, 8, 1) == cameron::tree(strided_message, 8));
    CHECK(cameron::grouped(strided_message, 8, 4) ==
          cameron::tree(strided_message, 2) + cameron::linear(strided_message, 4));
    CHECK(cameron::grouped(strided_message, 9, 4) ==
          cameron::tree(strided_message, 3) + cameron::linear(strided_message, 4));
    CHECK(cameron::grouped(titan_cluster, 8, 8, 100) == cameron::linear(titan_cluster, 8, 100));
    CHECK(cameron::grouped(titan_cluster, 8, 1, 100) == cameron::tree(titan_cluster, 8, 100));
}

TEST_CASE("LogGP and log_3P choose differently", "[model][cameron]") {
    // Contiguous, the network is what a message costs: the root may as well send to all. LogGP
    // charges the root every byte and the gap, and wants the tree.
    const auto by_log3p = [&](const Log3PTerms& message) {
        return cameron::best_group(
            16, [&](std::uint64_t group) { return cameron::grouped(message, 16, group); });
    };
    const auto by_loggp = cameron::best_group(
        16, [](std::uint64_t group) { return cameron::grouped(titan_cluster, 16, group, 16384); });
    CHECK(by_log3p(contiguous) == 16);
    CHECK(by_log3p(strided_message) == 4);  // 2 x 580 + 4 x 224.5 + 131 = 2189, a tree 2320
    CHECK(by_loggp == 2);                   // 3 x 98.8 + 2 x 14.6 + 98.8 = 424.5, a tree 439.1
    CHECK(cameron::tree(titan_cluster, 16, 16384) < cameron::linear(titan_cluster, 16, 16384));
    CHECK(cameron::tree(contiguous, 16) > cameron::linear(contiguous, 16));
    CHECK(cameron::tree(strided_message, 16) < cameron::linear(strided_message, 16));
}
