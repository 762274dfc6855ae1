#include "lapwing/simulate/engine/observer.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <tuple>
#include <vector>

#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "support/machine.hpp"

using namespace lapwing::simulate;

namespace {

class Kept final : public Observer {
  public:
    void interval(const Interval& interval) override { intervals.push_back(interval); }
    std::vector<Interval> intervals;
};

/// The intervals of each resource do not overlap, and the observer is called in their order.
void check_order(const std::vector<Interval>& intervals) {
    std::map<std::tuple<Resource, std::uint32_t, std::uint32_t>, Time> free;
    for (const auto& each : intervals) {
        REQUIRE(each.start <= each.end);
        Time& since = free[{each.resource, each.owner, each.pair}];
        REQUIRE(since <= each.start);
        since = each.end;
    }
}

}  // namespace

TEST_CASE("an observer is called when processors and interfaces are busy", "[simulate]") {
    const Graph graph = lapwing::goal_from_text(
        "num_ranks 2\nrank 0 {\na: calc 100\nb: send 11b to 1\nb requires a\n}\n"
        "rank 1 {\nrecv 11b from 0\n}\n");
    const LogGOPS machine{.L = 1000, .o = 50, .g = 20, .G = 3, .O = 2, .S = 65535};
    Kept kept;
    const Result result = simulate(graph, machine, &kept);
    CHECK(result.finish == simulate(graph, machine).finish);
    REQUIRE(kept.intervals.size() == 5);
    const auto check = [&](std::size_t i, Resource resource, Operation operation, Rank rank,
                           Rank peer, std::uint64_t bytes, Time start, Time end) {
        const Interval& found = kept.intervals[i];
        CHECK(found.resource == resource);
        CHECK(found.operation == operation);
        CHECK(found.rank == rank);
        CHECK(found.owner == rank);
        CHECK(found.peer == peer);
        CHECK(found.bytes == bytes);
        CHECK(found.start == start);
        CHECK(found.end == end);
    };
    check(0, Resource::processor, Operation::calculation, 0, 0, 0, 0, 100);
    check(1, Resource::processor, Operation::send, 0, 1, 11, 100, 170);
    check(2, Resource::sending, Operation::send, 0, 1, 11, 100, 150);
    check(3, Resource::processor, Operation::receive, 1, 0, 11, 1150, 1230);
    check(4, Resource::receiving, Operation::receive, 1, 0, 11, 1150, 1200);
}

TEST_CASE("an observer does not change when a schedule ends", "[simulate]") {
    for (const auto& operation : collective_operations()) {
        for (const auto& algorithm : collective_algorithms(operation)) {
            INFO(operation << " " << algorithm);
            const auto made = make_collective(
                {.operation = operation, .algorithm = algorithm, .ranks = 13, .size = 3000});
            const LogGOPS machine{.S = 1000};
            Kept kept;
            const Result seen = simulate(*made, machine, &kept);
            const Result unseen = simulate(*made, machine);
            CHECK(seen.rank_finish == unseen.rank_finish);
            CHECK(seen.events == unseen.events);
            // Each message occupies a processor and an interface at either end.
            CHECK(kept.intervals.size() == 4 * seen.messages);
            check_order(kept.intervals);
            std::vector<Time> busy(13);
            for (const auto& each : kept.intervals)
                if (each.resource == Resource::processor)
                    busy[each.rank] = std::max(busy[each.rank], each.end);
            for (Rank rank = 0; rank < 13; ++rank) CHECK(busy[rank] <= seen.rank_finish[rank]);
        }
    }
}

TEST_CASE("interfaces that ranks share belong to their node", "[simulate]") {
    const auto made =
        make_collective({.operation = "alltoall", .algorithm = "linear", .ranks = 8, .size = 4096});
    lapwing::Profile profile = lapwing::test::full_profile();
    profile.nic = lapwing::Nic::serialising;
    const MeasuredMachine machine(profile, 2);
    Kept kept;
    const Result seen = simulate(*made, machine, &kept);
    CHECK(seen.rank_finish == simulate(*made, machine).rank_finish);
    check_order(kept.intervals);
    const auto count = [&](Resource resource) {
        return std::count_if(kept.intervals.begin(), kept.intervals.end(),
                             [&](const Interval& each) { return each.resource == resource; });
    };
    CHECK(count(Resource::processor) == 2 * 8 * 7);
    // Only messages between nodes go through interfaces.
    CHECK(count(Resource::sending) == 8 * 6);
    CHECK(count(Resource::receiving) == 8 * 6);
    for (const auto& each : kept.intervals)
        CHECK(each.owner == (each.resource == Resource::processor ? each.rank : each.rank / 2));
}

TEST_CASE("an observer may end the simulation", "[simulate]") {
    class Enough final : public Observer {
        void interval(const Interval&) override { throw std::runtime_error("enough"); }
    } enough;
    const auto made =
        make_collective({.operation = "bcast", .algorithm = "linear", .ranks = 3, .size = 8});
    CHECK_THROWS_WITH(simulate(*made, LogGOPS{}, &enough), "enough");
}
