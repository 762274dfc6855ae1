#include "lapwing/model/lognp.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/model/contention.hpp"
#include "lapwing/model/copy_transfer.hpp"
#include "lapwing/model/memory_logp.hpp"
#include "lapwing/model/point_to_point.hpp"
#include "lapwing/model/pram.hpp"
#include "lapwing/model/terms.hpp"

using namespace lapwing::model;

// The derivations of Cameron 2007, sections 2 and 5: every simpler model is log_nP with some of its
// costs held constant or left out.
namespace {

constexpr lapwing::LogGP printed_cluster{
    .L = 13.62, .o_s = 5.9, .o_r = 6.1, .g = 14.6, .G = 0.00448};

}  // namespace

TEST_CASE("log_nP by hand", "[model]") {
    CHECK(lognp({}) == 0);
    const Transfer chain[] = {{.o = 1, .l = 2, .g = 3}, {.o = 4, .l = 0, .g = 3}, {.o = 5, .l = 6}};
    CHECK(lognp(chain) == 3 + 2 + 4 + 5 + 6);
}

TEST_CASE("PRAM is log_nP with one transfer of one unit", "[model]") {
    CHECK(lognp(std::array{Transfer{.o = 1}}) == pram());
    CHECK(lognp(std::array{Transfer{.o = 0.25, .l = 0.75}}) == pram());
}

TEST_CASE("LogP, LogGP, LoPC and LoGPC are log_nP with three transfers", "[model]") {
    const Transfer network{.o = printed_cluster.L};
    const Transfer target{.o = printed_cluster.o_r};
    CHECK(lognp(std::array{Transfer{.o = printed_cluster.o_s}, network, target}) ==
          Approx(logp(printed_cluster)));
    for (const double k : {1., 16384.}) {
        const Transfer source{.o = printed_cluster.o_s + (k - 1) * printed_cluster.G};
        CHECK(lognp(std::array{source, network, target}) == Approx(loggp(printed_cluster, k)));
    }
    const Contention crowd{.processes = 8, .end_points = 2};
    const double service = printed_cluster.o_r;
    const double wait = queueing(crowd, service, logp(printed_cluster) - service);
    CHECK(wait > 0);
    const Transfer contended{.o = wait + printed_cluster.o_r};
    CHECK(lognp(std::array{Transfer{.o = printed_cluster.o_s}, network, contended}) ==
          Approx(lopc(printed_cluster, crowd)));
    // Or as the gap of that transfer, which is the greater of the two.
    const Transfer gap{.o = printed_cluster.o_r, .g = wait + printed_cluster.o_r};
    CHECK(lognp(std::array{Transfer{.o = printed_cluster.o_s}, network, gap}) ==
          Approx(lopc(printed_cluster, crowd)));
}

TEST_CASE("memory logP is log_nP with three transfers", "[model]") {
    const Transfer source{.o = 3, .l = 40};
    const Transfer target{.o = 2, .l = 30};
    CHECK(memory_logp(source, 13.62, target) ==
          Approx(lognp(std::array{source, Transfer{.o = 13.62}, target})));

    lapwing::Log3P table;
    table.sizes = {1024, 4096};
    table.strides = {64};
    table.element = 8;
    table.T_mem = {1, 4};
    table.packing = {{6}, {21}};
    CHECK(memory_copy(table, 1024, 64).o == 1);
    CHECK(memory_copy(table, 1024, 64).l == Approx(5));
    CHECK(memory_copy(table, 1024, 8).l == 0);
    CHECK(memory_copy(table, 8192, 64).o == Approx(8));
    CHECK(memory_copy(table, 8192, 64).l == Approx(34));
}

TEST_CASE("copy-transfer is log_nP with bandwidths for costs", "[model]") {
    const std::array hops{Hop{16384, 800}, Hop{32768, 250}, Hop{16384, 500}};
    std::vector<Transfer> transfers;
    for (const auto& hop : hops) transfers.push_back({.o = hop.bytes / hop.throughput});
    CHECK(copy_transfer(hops) == Approx(lognp(transfers)));
    CHECK(copy_transfer({}) == 0);
}

TEST_CASE("the number of terms each model needs", "[model]") {
    CHECK(pram_terms() == 1);
    CHECK(logp_terms() == 3);
    CHECK(loggp_terms() == 4);
    CHECK(lopc_terms(2) == 5);
    // FT.B.4 of section 4.3.4: one size and one stride.
    CHECK(log3p_terms({.sizes = 1, .strides = 1}) == 6);
    CHECK(log3p_terms({.sizes = 5, .strides = 4}) == 3 * 5 * 5);
    CHECK(lognp_terms(7, {.sizes = 5, .strides = 4}) == 7 * 5 * 5);
    CHECK(terms(std::array{Extent{5, 4}, Extent{5, 4}, Extent{5, 4}}) ==
          log3p_terms({.sizes = 5, .strides = 4}));
}
