#include "lapwing/io/trace_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using lapwing::Activity;
using lapwing::Event;
using Json = nlohmann::ordered_json;

TEST_CASE("a time line has a process for each rank, and times from the first event on", "[io]") {
    const std::vector<std::vector<Event>> ranks = {
        {{Activity::poll, 4, 1000.000003, 1000.000004},
         {Activity::computation, 7, 1000.000002, 1000.000006}},
        {},
        {{Activity::wait, 2, 1000.0, 1000.5}}};
    const Json document = Json::parse(lapwing::trace_json(ranks));
    std::vector<std::string> processes;
    std::vector<Json> events;
    for (const auto& event : document["traceEvents"]) {
        if (event["ph"] == "X") events.push_back(event);
        if (event["name"] == "process_name") {
            CHECK(event["pid"] == processes.size());
            processes.push_back(event["args"]["name"]);
        }
    }
    CHECK(processes == std::vector<std::string>{"rank 0", "rank 1", "rank 2"});
    REQUIRE(events.size() == 3);
    const auto check = [](const Json& event, const char* name, int rank, double start,
                          double length, const char* counted, int index) {
        CHECK(event["name"] == name);
        CHECK(event["pid"] == rank);
        CHECK(event["ts"].get<double>() == Approx(start).margin(1e-6));
        CHECK(event["dur"].get<double>() == Approx(length).margin(1e-6));
        CHECK(event["args"][counted] == index);
    };
    check(events[0], "poll", 0, 3, 1, "poll", 4);
    check(events[1], "computation", 0, 2, 4, "step", 7);
    check(events[2], "wait", 2, 0, 5e5, "message", 2);
}

TEST_CASE("a time line of nothing is a document too", "[io]") {
    CHECK(Json::parse(lapwing::trace_json({}))["lapwing"] == "trace");
    CHECK(Json::parse(lapwing::trace_json({}))["traceEvents"].empty());
    CHECK(Json::parse(lapwing::trace_json({{}}))["traceEvents"].size() == 2);
}
