#include "lapwing/simulate/links/routes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/simulate/collectives/make_collective.hpp"
#include "simulate/links/links.hpp"

using Catch::Matchers::Contains;
using lapwing::Interconnect;
using lapwing::Nic;
using lapwing::Placement;
using lapwing::simulate::Link;
using lapwing::simulate::MeasuredMachine;
using lapwing::simulate::Routes;
using lapwing::simulate::Topology;
using lapwing::test::arrivals;
using lapwing::test::at_once;
using lapwing::test::finish;
using lapwing::test::links_alone;
using lapwing::test::Sent;

namespace {

Topology topology(const char* interconnect, const char* placement = "consecutive") {
    return Topology(Interconnect::from_text(interconnect), Placement::from_text(placement));
}

/// Microseconds of a collective on a machine where only links take time.
double takes(const char* operation, const char* algorithm, std::uint32_t ranks, std::uint64_t size,
             Nic nic, const Topology& topology) {
    const auto collective = lapwing::simulate::make_collective(
        {.operation = operation, .algorithm = algorithm, .ranks = ranks, .size = size});
    const MeasuredMachine machine(links_alone(nic),
                                  {.ranks_per_node = 1, .topology = topology, .stride = {}});
    return static_cast<double>(simulate(*collective, machine).finish) / 1e6;
}

const std::vector<Nic> both{Nic::serialising, Nic::sharing};

}  // namespace

TEST_CASE("routes through a switch or a fat tree are those of the fast view", "[simulate][links]") {
    for (const char* text : {"flat", "fat-tree:4,2", "fat-tree:4,3,64"}) {
        const Topology usual(Interconnect::from_text(text));
        REQUIRE(usual.plain());
        const Topology::View view(usual, 13);
        const Routes routes(usual, 13);
        CHECK(routes.links() == view.links());
        for (std::uint32_t from = 0; from < 13; ++from)
            for (std::uint32_t to = 0; to < 13; ++to) {
                const auto a = view.path(from, to);
                const auto b = routes.path(from, to);
                REQUIRE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
                REQUIRE(view.hops(from, to) == routes.hops(from, to));
            }
    }
    // What is not usual is no view, and takes the same time where it means the same.
    for (const Nic nic : both) {
        const auto plain = takes("alltoall", "linear", 13, 5000, nic, Topology(4, 2));
        REQUIRE_FALSE(topology("fat-tree:4,2").plain());
        CHECK(takes("alltoall", "linear", 13, 5000, nic, topology("fat-tree:4,2")) == plain);
    }
}

TEST_CASE("neighbours on the rings of a torus never share a link", "[simulate][links]") {
    // Once round the first dimension, whose nodes are consecutive, and once round the last.
    for (const Nic nic : both)
        for (const int step : {1, 16}) {
            std::vector<Sent> sends;
            for (int rank = 0; rank < 64; ++rank) {
                const int line = step == 1 ? rank / 4 * 4 : 0;
                const int next = step == 1 ? line + (rank + 1) % 4 : (rank + step) % 64;
                sends.push_back({rank, next, 100});
            }
            for (const double time : arrivals(64, sends, nic, topology("torus:4x4x4")))
                CHECK(time == Approx(110));
        }
    // The other way round at the same time, too, if a node has an interface for each.
    std::vector<Sent> sends;
    for (int rank = 0; rank < 8; ++rank) {
        sends.push_back({rank, (rank + 1) % 8, 100});
        sends.push_back({rank, (rank + 7) % 8, 100});
    }
    for (const Nic nic : both) {
        CHECK(arrivals(8, sends, nic, topology("torus:8,interfaces=2"))[3] == Approx(110));
        CHECK(arrivals(8, sends, nic, topology("torus:8"))[3] >= 209);
    }
}

TEST_CASE("an all-to-all takes a torus as long as its bisection says", "[simulate][links]") {
    // Half of the nodes send to the other half over two cuts of the longest dimension.
    const auto bound = [](double a, double b, double c, double bytes) {
        const double nodes = a * b * c;
        return nodes / 2 * (nodes / 2) * bytes / (2 * nodes / std::max({a, b, c})) / 1000;
    };
    for (const Nic nic : both) {
        const auto takes_on = [&](const char* text, std::uint32_t nodes) {
            return takes("alltoall", "linear", nodes, 20000, nic, topology(text));
        };
        const double long_line = bound(8, 2, 1, 20000);
        CHECK(takes_on("torus:8x2,interfaces=4", 16) >= long_line);
        CHECK(takes_on("torus:8x2,interfaces=4", 16) < 2 * long_line);
        const double ring = bound(16, 1, 1, 20000);
        CHECK(takes_on("torus:16,interfaces=2", 16) >= ring);
        CHECK(takes_on("torus:16,interfaces=2", 16) < 2 * ring);
        // Without wrapping around there is half the bisection.
        CHECK(takes_on("mesh:16,interfaces=2", 16) >= 2 * ring);
    }
    // Shared links are busy all the time, apart from the latency.
    CHECK(takes("alltoall", "linear", 16, 200000, Nic::sharing, topology("torus:16,interfaces=2")) <
          1.02 * bound(16, 1, 1, 200000) + 10);
}

TEST_CASE("the messages between two groups share their link", "[simulate][links]") {
    // Groups of four switches with a node each: the first two of a group send to another one.
    const std::vector<Sent> sends{{0, 4, 100}, {2, 6, 100}};
    for (const Nic nic : both) {
        const auto one = arrivals(8, sends, nic, topology("dragonfly:2x4x1"));
        CHECK(std::max(one[4], one[6]) == Approx(210));
        CHECK(std::min(one[4], one[6]) == Approx(nic == Nic::sharing ? 210 : 110));
        // To another group there is another link.
        const auto others =
            arrivals(12, {{0, 4, 100}, {2, 8, 100}}, nic, topology("dragonfly:3x4x1"));
        CHECK(others[8] == Approx(110));
        // Within a group each switch is connected with each.
        const auto inside =
            arrivals(4, {{0, 1, 100}, {2, 3, 100}}, nic, topology("dragonfly:2x4x1"));
        CHECK(inside[1] == Approx(110));
    }
}

TEST_CASE("links between switches have their rate and their number", "[simulate][links]") {
    for (const Nic nic : both) {
        // A slow link slows down even a message that is alone on it.
        CHECK(arrivals(4, {{0, 1, 100}}, nic, topology("torus:4,rate=0.5"))[1] == Approx(210));
        CHECK(arrivals(4, {{0, 1, 100}}, nic, topology("torus:4,rate=2"))[1] == Approx(110));
        // Two messages go side by side over two local links.
        const std::vector<Sent> sends{{0, 2, 100}, {1, 3, 100}};
        CHECK(arrivals(4, sends, nic, topology("dragonfly:1x2x2"))[3] >= 209);
        CHECK(arrivals(4, sends, nic, topology("dragonfly:1x2x2,local=2"))[3] == Approx(110));
    }
    // Of shared links that are twice as fast, both get all that their interfaces have.
    CHECK(arrivals(4, {{0, 2, 100}, {1, 3, 100}}, Nic::sharing,
                   topology("dragonfly:1x2x2,rate=2"))[3] == Approx(110));
}

TEST_CASE("a node with several interfaces sends to several peers at once", "[simulate][links]") {
    const std::vector<Sent> sends{{0, 1, 100}, {0, 2, 100}, {0, 3, 100}};
    for (const Nic nic : both) {
        const auto last = [&](const char* text) {
            const auto times = arrivals(4, sends, nic, topology(text));
            return *std::max_element(times.begin(), times.end());
        };
        CHECK(last("flat") == Approx(310));
        CHECK(last("flat,interfaces=2") == Approx(nic == Nic::sharing ? 160 : 210));
        CHECK(last("flat,interfaces=3") == Approx(110));
        // One message uses one interface.
        CHECK(last("flat,interfaces=8") == Approx(110));
        // They are as many at the receiver.
        const std::vector<Sent> in{{1, 0, 100}, {2, 0, 100}};
        CHECK(arrivals(3, in, nic, topology("flat"))[0] == Approx(210));
        CHECK(arrivals(3, in, nic, topology("flat,interfaces=2"))[0] == Approx(110));
    }
}

TEST_CASE("each link between switches may add to the latency", "[simulate][links]") {
    for (const Nic nic : both) {
        // The two nodes that were measured are neighbours.
        const auto times = [&](int to, const char* text) {
            return arrivals(16, {{0, to, 1}}, nic, topology(text))[static_cast<std::size_t>(to)];
        };
        CHECK(times(1, "torus:4x4,hop=500ns") == Approx(11));
        CHECK(times(2, "torus:4x4,hop=500ns") == Approx(11.5));
        CHECK(times(10, "torus:4x4,hop=500ns") == Approx(12.5));
        // They are at one switch where there are two nodes at a switch.
        CHECK(times(1, "dragonfly:4x2x2,hop=1us") == Approx(11));
        CHECK(times(2, "dragonfly:4x2x2,hop=1us") == Approx(12));
        // Switches 0 of groups 0 and 2 are those that are connected.
        CHECK(times(8, "dragonfly:4x2x2,hop=1us") == Approx(12));
        CHECK(times(10, "dragonfly:4x2x2,hop=1us") == Approx(13));
        CHECK(times(12, "dragonfly:4x2x2,hop=1us") == Approx(13));
    }
}

TEST_CASE("ranks are where their placement has them", "[simulate][links]") {
    const auto hops = [](const char* placement, std::uint32_t used) {
        const Routes routes(topology("torus:16", placement), used);
        std::vector<std::uint32_t> found;
        for (std::uint32_t node = 1; node < used; ++node) found.push_back(routes.hops(0, node));
        return found;
    };
    CHECK(hops("consecutive", 4) == std::vector<std::uint32_t>{1, 2, 3});
    CHECK(hops("spread", 4) == std::vector<std::uint32_t>{4, 8, 4});
    CHECK(hops("0,8,1,15", 4) == std::vector<std::uint32_t>{8, 1, 1});
    CHECK(hops("4-9", 3) == std::vector<std::uint32_t>{1, 2});
    // Each node once, always the same, and another draw by another seed.
    const auto all = hops("random:1", 16);
    CHECK(std::count(all.begin(), all.end(), 0) == 0);
    CHECK(std::count(all.begin(), all.end(), 1) == 2);
    CHECK(std::count(all.begin(), all.end(), 8) == 1);
    CHECK(all == hops("random:1", 16));
    CHECK(all != hops("random:2", 16));
    CHECK(hops("random:1", 4) == std::vector<std::uint32_t>(all.begin(), all.begin() + 3));
    // A fat tree of 8 nodes spreads four ranks as usual, and fills two leaves if they are to be
    // consecutive.
    const Topology spread(Interconnect::from_text("fat-tree:2,1,8"));
    CHECK(Routes(spread, 4).hops(0, 1) == 2);
    CHECK(Routes(topology("fat-tree:2,1,8"), 4).hops(0, 1) == 0);
}

TEST_CASE("ranks go round the nodes, or fill one after the other", "[simulate][links]") {
    auto profile = links_alone(Nic::serialising);
    profile.pairs.push_back({.name = "within a node",
                             .ranks = {0, 1},
                             .loggp = {.L = 1e-6, .o_s = 0, .o_r = 0, .g = 0, .G = 1e-12},
                             .error = {},
                             .sizes = {1, 1000000},
                             .half_round_trip = {1e-6, 2e-6},
                             .bandwidth = {1e12, 1e12}});
    const auto time = [&](int to, const char* placement) {
        const auto done = finish(at_once(6, {{0, to, 1}}), profile,
                                 {.ranks_per_node = 3,
                                  .topology = topology("flat"),
                                  .stride = {},
                                  .placement = Placement::from_text(placement)});
        return done[static_cast<std::size_t>(to)];
    };
    CHECK(time(1, "consecutive") < 2);
    CHECK(time(3, "consecutive") == Approx(11));
    CHECK(time(1, "round-robin") == Approx(11));
    CHECK(time(2, "round-robin") < 2);
    CHECK(time(5, "round-robin") == Approx(11));
}

TEST_CASE("a placement on nodes that are not there is refused", "[simulate][links]") {
    CHECK_THROWS_WITH(Routes(topology("torus:4x4"), 17),
                      Contains("has 16 nodes, and the schedule needs 17"));
    CHECK_THROWS_WITH(Routes(topology("torus:4x4", "0-7"), 9), Contains("names 8 nodes"));
    CHECK_THROWS_WITH(Routes(topology("torus:4x4", "0,16"), 2), Contains("nodes 0 to 15"));
    CHECK_THROWS_WITH(Routes(topology("flat", "random:1"), 2), Contains("says how many"));
    CHECK(Routes(topology("flat", "5,1000000"), 2).hops(0, 1) == 0);
}

TEST_CASE("the topology of a profile may be said in words", "[simulate][links]") {
    auto profile = links_alone(Nic::sharing);
    profile.topology =
        lapwing::Topology{.reason = {}, .interconnect = "torus:8,hop=1us", .placement = "0,4"};
    CHECK(finish(at_once(2, {{0, 1, 1}}), profile)[1] == Approx(14));
    // Other words for one run.
    CHECK(finish(at_once(2, {{0, 1, 1}}), profile,
                 {.ranks_per_node = 1,
                  .topology = {},
                  .stride = {},
                  .placement = Placement::from_text("0,1")})[1] == Approx(11));
    CHECK(finish(at_once(2, {{0, 1, 1}}), profile,
                 {.ranks_per_node = 1, .topology = Topology(), .stride = {}})[1] == Approx(11));
}
