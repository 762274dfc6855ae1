#include "lapwing/io/schedule_trace.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "support/machine.hpp"

using Catch::Matchers::Contains;
using lapwing::ScheduleTrace;
using lapwing::simulate::Interval;
using lapwing::simulate::LogGOPS;
using lapwing::simulate::make_collective;
using Json = nlohmann::ordered_json;

namespace {

/// The names of threads, by process and thread.
std::map<std::pair<int, int>, std::string> threads(const Json& document) {
    std::map<std::pair<int, int>, std::string> found;
    for (const auto& event : document["traceEvents"])
        if (event["name"] == "thread_name")
            found[{event["pid"], event["tid"]}] = event["args"]["name"];
    return found;
}

std::map<int, std::string> processes(const Json& document) {
    std::map<int, std::string> found;
    for (const auto& event : document["traceEvents"])
        if (event["name"] == "process_name") found[event["pid"]] = event["args"]["name"];
    return found;
}

/// Whether the intervals of each thread do not overlap.
void check_monotone(const Json& document) {
    std::map<std::pair<int, int>, double> free;
    for (const auto& event : document["traceEvents"]) {
        if (event["ph"] != "X") continue;
        double& since = free[{event["pid"], event["tid"]}];
        REQUIRE(event["dur"].get<double>() > 0);
        REQUIRE(event["ts"].get<double>() >= Approx(since).margin(1e-6));
        since = event["ts"].get<double>() + event["dur"].get<double>();
    }
    CHECK(!free.empty());
}

}  // namespace

TEST_CASE("the time line of a schedule has the ranks, what was busy, and with what", "[io]") {
    const auto graph = lapwing::goal_from_text(
        "num_ranks 2\nrank 0 {\na: calc 100 cpu 1 nic 2\nb: send 11b to 1\nb requires a\n}\n"
        "rank 1 {\nrecv 11b from 0\n}\n");
    const LogGOPS machine{.L = 1000, .o = 50, .g = 20, .G = 3, .O = 2, .S = 65535};
    ScheduleTrace trace(1, 1, graph.pairs);
    (void)simulate(graph, machine, &trace);
    const Json document = Json::parse(trace.json(2));
    CHECK(processes(document) == std::map<int, std::string>{{0, "rank 0"}, {1, "rank 1"}});
    CHECK(threads(document) ==
          std::map<std::pair<int, int>, std::string>{{{0, 0}, "processor"},
                                                     {{0, 1000}, "sending"},
                                                     {{0, 3000}, "processor 1"},
                                                     {{1, 0}, "processor"},
                                                     {{1, 2000}, "receiving"}});
    std::map<std::string, Json> busy;
    for (const auto& event : document["traceEvents"])
        if (event["ph"] == "X" && event["tid"].get<int>() % 3000 == 0) busy[event["name"]] = event;
    REQUIRE(busy.size() == 3);
    CHECK(busy["calculation"]["tid"] == 3000);
    CHECK(busy["calculation"]["dur"].get<double>() == Approx(0.1));
    CHECK(busy["send"]["args"] == Json{{"to", 1}, {"bytes", 11}});
    CHECK(busy["receive"]["args"] == Json{{"from", 0}, {"bytes", 11}});
    // The calculation is on another processor, which the send does not wait for.
    CHECK(busy["receive"]["ts"].get<double>() == Approx(1.05));
    CHECK(busy["receive"]["dur"].get<double>() == Approx(0.08));
    check_monotone(document);
}

TEST_CASE("ranks that share interfaces have a process for each node", "[io]") {
    const auto made =
        make_collective({.operation = "alltoall", .algorithm = "linear", .ranks = 6, .size = 4096});
    lapwing::Profile profile = lapwing::test::full_profile();
    profile.nic = lapwing::Nic::serialising;
    profile.latency.reset();  // these round trips leave the links nothing to do
    const lapwing::simulate::MeasuredMachine machine(profile, 3);
    ScheduleTrace trace(machine.nanosecond, 3);
    (void)simulate(*made, machine, &trace);
    const Json document = Json::parse(trace.json(6));
    const auto named = processes(document);
    REQUIRE(named.size() == 8);
    CHECK(named.at(5) == "rank 5");
    CHECK(named.at(6) == "node 0");
    CHECK(named.at(7) == "node 1");
    for (const auto& [place, name] : threads(document))
        CHECK((name == "processor") == (place.first < 6));
    for (const auto& event : document["traceEvents"])
        if (event["ph"] == "X" && event["pid"].get<int>() >= 6)
            CHECK(event["args"]["rank"].get<int>() / 3 == event["pid"].get<int>() - 6);
    check_monotone(document);
}

TEST_CASE("what a resource does at once stands on threads of its own", "[io]") {
    ScheduleTrace trace(1, 1);
    const auto sent = [&](std::int64_t start, std::int64_t end) {
        trace.interval({.resource = lapwing::simulate::Resource::sending,
                        .operation = lapwing::simulate::Operation::send,
                        .rank = 0,
                        .owner = 0,
                        .pair = 0,
                        .peer = 1,
                        .bytes = 8,
                        .start = start,
                        .end = end});
    };
    sent(0, 1000);
    sent(500, 2000);
    sent(1000, 1500);
    const Json document = Json::parse(trace.json(2));
    CHECK(threads(document) == std::map<std::pair<int, int>, std::string>{{{0, 1000}, "sending"},
                                                                          {{0, 1001}, "sending"}});
    check_monotone(document);
}

TEST_CASE("a time line that is too long is refused", "[io]") {
    ScheduleTrace trace(1, 1);
    Interval interval{.start = 0, .end = 0};
    for (std::size_t i = 0; i < ScheduleTrace::most; ++i) {
        interval.end = interval.start + 1;
        trace.interval(interval);
    }
    // What takes no time does not count.
    interval.start = interval.end;
    trace.interval(interval);
    interval.end = interval.start + 1;
    CHECK_THROWS_WITH(trace.interval(interval), Contains("more than 1000000 intervals"));
}
