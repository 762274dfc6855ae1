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
    CHECK(json["lapwing"] == "plan");
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

TEST_CASE("a plan is the same after it was a document", "[io]") {
    const auto method = GENERATE(Method::lapwing, Method::paper);
    const auto plan = lapwing::plan(lapwing::test::infiniband(),
                                    {.volume = 100'000, .compute = 1e-3, .grain = 8}, method);
    const std::string text = to_json(plan);
    const auto read = lapwing::plan_from_json(text);
    CHECK(to_json(read) == text);
    CHECK(read.messages == plan.messages);
    CHECK(read.window == plan.window);
    CHECK(read.predicted == plan.predicted);
}

TEST_CASE("what is no plan is refused in one line", "[io]") {
    Json good = Json::parse(to_json(
        lapwing::plan(lapwing::test::infiniband(), {.volume = 4096, .compute = 1e-3, .grain = 8})));
    const auto refused = [](const std::string& text, const std::string& says) {
        try {
            static_cast<void>(lapwing::plan_from_json(text));
        } catch (const std::invalid_argument& error) {
            const std::string what = error.what();
            CHECK(what.find('\n') == std::string::npos);
            CHECK(what.find(says) != std::string::npos);
            return;
        }
        FAIL("taken: " << text);
    };
    refused("", "no plan");
    refused("{}", "volume");
    const auto changed = [&](const char* field, const Json& value) {
        Json document = good;
        document[field] = value;
        return document.dump();
    };
    refused(changed("window", 0), "window must be at least 1");
    refused(changed("order", "backwards"), "order");
    refused(changed("compute", {{"seconds", -1}}), "0 or more");
    refused(changed("compact", {{"volume", 8}, {"grain", 8}, {"runs", Json::array()}}),
            "needs messages");
    refused(changed("compact", {{"volume", 8}, {"grain", 8}, {"runs", {{0, 4}}}}), "above 0");
    refused(changed("compact", {{"volume", 8}, {"grain", 8}, {"runs", {{8, 2}}}}), "more bytes");
    refused(changed("compact", {{"volume", 8}, {"grain", 8}}), "compact.runs is missing");
}
