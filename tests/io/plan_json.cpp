#include "lapwing/io/plan_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "support/machine.hpp"

using Json = nlohmann::ordered_json;
using lapwing::Direction;
using lapwing::Messages;
using lapwing::Method;

namespace {

Messages from_compact(const Json& compact) {
    Messages messages(compact["grain"].get<std::uint64_t>());
    for (const auto& run : compact["runs"]) messages.append(run[0], run[1]);
    return messages;
}

}  // namespace

TEST_CASE("a plan as JSON says all there is to it", "[io]") {
    const auto direction = GENERATE(Direction::fetch, Direction::produce);
    const auto plan =
        lapwing::plan(lapwing::test::infiniband(),
                      {.volume = 1 << 20, .compute = 1e-3, .grain = 8, .direction = direction});
    const std::string text = to_json(plan);
    CHECK(text.back() == '\n');
    const Json json = Json::parse(text);
    CHECK(json["method"] == "lapwing");
    CHECK(json["volume"] == 1 << 20);
    CHECK(json["compute"]["seconds"] == 1e-3);
    CHECK(json["grain"] == 8);
    CHECK(json["pattern"] == "stream");
    CHECK(json["direction"] == (direction == Direction::fetch ? "fetch" : "produce"));
    CHECK(json["messages"].get<std::vector<std::uint64_t>>() == plan.messages.list());
    CHECK(json["count"] == plan.messages.count());
    CHECK(json["window"] == plan.window);
    CHECK(json["burst"].is_null());
    CHECK(json["predicted"]["seconds"] == plan.predicted);
    CHECK(json["limit"]["seconds"] == plan.limit);
    CHECK(json["blocking"]["seconds"] == plan.blocking);
    CHECK(json["poll_interval"]["seconds"] == plan.poll_interval);
    CHECK(json["poll_reason"] == plan.poll_reason);
    CHECK(json["bound"] == "bandwidth");
    CHECK(from_compact(json["compact"]) == plan.messages);
    CHECK(json["compact"]["volume"] == plan.messages.volume());
    CHECK(json["compact"]["count"] == plan.messages.count());
}

TEST_CASE("the paper's plan as JSON has a burst", "[io]") {
    const auto plan =
        lapwing::plan(lapwing::test::infiniband(), {.volume = 1 << 20, .compute = 3e-3, .grain = 8},
                      Method::paper);
    const Json json = Json::parse(to_json(plan));
    CHECK(json["method"] == "paper");
    CHECK(json["burst"] == plan.burst);
    CHECK(json["bound"] == "computation");
}

TEST_CASE("beyond a million messages there is the compact form alone", "[io]") {
    lapwing::Plan plan;
    plan.messages = Messages::uniform(1000001, 1);
    CHECK(Json::parse(to_json(plan))["messages"].is_null());
    CHECK(Json::parse(to_json(plan))["compact"]["count"] == 1000001);
    plan.messages = Messages::uniform(1000000, 1);
    CHECK(Json::parse(to_json(plan))["messages"].size() == 1000000);
}
