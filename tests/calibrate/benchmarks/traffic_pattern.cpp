#include "lapwing/calibrate/benchmarks/traffic_pattern.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

using lapwing::all_traffic;
using lapwing::default_processes;
using lapwing::partners;
using lapwing::TrafficPattern;

namespace {

using Flow = std::pair<int, int>;  // from, to

/// All that is sent, by the senders' own account.
std::vector<Flow> sent(TrafficPattern traffic, int processes) {
    std::vector<Flow> flows;
    for (int rank = 0; rank < processes; ++rank)
        for (const int to : partners(traffic, rank, processes).to) flows.emplace_back(rank, to);
    std::sort(flows.begin(), flows.end());
    return flows;
}

/// All that is received, by the receivers' own account.
std::vector<Flow> received(TrafficPattern traffic, int processes) {
    std::vector<Flow> flows;
    for (int rank = 0; rank < processes; ++rank)
        for (const int from : partners(traffic, rank, processes).from)
            flows.emplace_back(from, rank);
    std::sort(flows.begin(), flows.end());
    return flows;
}

const std::vector<int> numbers = {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 31, 64, 100, 128};

}  // namespace

TEST_CASE("what is sent is what is received, once, and never to oneself", "[calibrate]") {
    for (const TrafficPattern traffic : all_traffic) {
        for (const int processes : numbers) {
            const auto flows = sent(traffic, processes);
            CHECK(flows == received(traffic, processes));
            CHECK(std::adjacent_find(flows.begin(), flows.end()) == flows.end());
            for (const auto& [from, to] : flows) {
                CHECK(from != to);
                CHECK(std::min(from, to) >= 0);
                CHECK(std::max(from, to) < processes);
            }
        }
    }
}

TEST_CASE("one process alone has nobody to talk to", "[calibrate]") {
    for (const TrafficPattern traffic : all_traffic) CHECK(sent(traffic, 1).empty());
}

TEST_CASE("neighbours are 0 and 1, 2 and 3; the last of an odd number has none", "[calibrate]") {
    CHECK(sent(TrafficPattern::nearest_neighbour, 6) == std::vector<Flow>{{0, 1}, {2, 3}, {4, 5}});
    CHECK(sent(TrafficPattern::nearest_neighbour, 5) == std::vector<Flow>{{0, 1}, {2, 3}});
}

TEST_CASE("the lower half sends to the upper", "[calibrate]") {
    CHECK(sent(TrafficPattern::cross_bisection, 6) == std::vector<Flow>{{0, 3}, {1, 4}, {2, 5}});
    CHECK(sent(TrafficPattern::cross_bisection, 7) == std::vector<Flow>{{0, 3}, {1, 4}, {2, 5}});
    CHECK(sent(TrafficPattern::bidirectional, 4) ==
          std::vector<Flow>{{0, 2}, {1, 3}, {2, 0}, {3, 1}});
    for (const int processes : numbers) {
        for (const auto& [from, to] : sent(TrafficPattern::cross_bisection, processes)) {
            CHECK(from < processes / 2);
            CHECK(to >= processes / 2);
        }
        // Each is in one pair at most; with an odd number one is left over.
        CHECK(sent(TrafficPattern::cross_bisection, processes).size() ==
              static_cast<std::size_t>(processes / 2));
        CHECK(sent(TrafficPattern::bidirectional, processes).size() ==
              2 * static_cast<std::size_t>(processes / 2));
    }
}

TEST_CASE("all but one gather into one; all send to all", "[calibrate]") {
    CHECK(sent(TrafficPattern::gather, 4) == std::vector<Flow>{{1, 0}, {2, 0}, {3, 0}});
    for (const int processes : numbers) {
        const auto all = static_cast<std::size_t>(processes);
        CHECK(sent(TrafficPattern::gather, processes).size() == all - 1);
        CHECK(sent(TrafficPattern::alltoall, processes).size() == all * (all - 1));
    }
}

TEST_CASE("in every step of an all-to-all each sends one message and receives one", "[calibrate]") {
    for (const int processes : numbers) {
        for (std::size_t step = 0; step + 1 < static_cast<std::size_t>(processes); ++step) {
            std::set<int> targets;
            for (int rank = 0; rank < processes; ++rank) {
                const int to = partners(TrafficPattern::alltoall, rank, processes).to[step];
                targets.insert(to);
                CHECK(partners(TrafficPattern::alltoall, to, processes).from[step] == rank);
            }
            CHECK(targets.size() == static_cast<std::size_t>(processes));
        }
    }
}

TEST_CASE("every pattern has a name of its own", "[calibrate]") {
    std::set<std::string> names;
    for (const TrafficPattern traffic : all_traffic) names.insert(name(traffic));
    CHECK(names == std::set<std::string>{"nearest-neighbour", "cross-bisection", "bidirectional",
                                         "gather", "alltoall"});
}

TEST_CASE("powers of two, and all", "[calibrate]") {
    CHECK(default_processes(1).empty());
    CHECK(default_processes(2) == std::vector<int>{2});
    CHECK(default_processes(3) == std::vector<int>{2, 3});
    CHECK(default_processes(64) == std::vector<int>{2, 4, 8, 16, 32, 64});
    CHECK(default_processes(100) == std::vector<int>{2, 4, 8, 16, 32, 64, 100});
}

TEST_CASE("Jain's index", "[calibrate]") {
    const auto of = [](const std::vector<double>& bandwidths) {
        double sum = 0;
        double squares = 0;
        for (const double value : bandwidths) {
            sum += value;
            squares += value * value;
        }
        return lapwing::fairness(static_cast<double>(bandwidths.size()), sum, squares);
    };
    CHECK(of({3, 3, 3, 3}) == Approx(1));
    CHECK(of({5, 0, 0, 0}) == Approx(0.25));
    CHECK(of({1, 2}) == Approx(0.9));
    CHECK(of({}) == 1);
}
