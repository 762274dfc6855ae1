#include "lapwing/io/tuner_state_json.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "lapwing/io/file.hpp"
#include "lapwing/tuner/tuner.hpp"
#include "support/machine.hpp"

using lapwing::Messages;
using lapwing::TunerState;

namespace {

TunerState example() {
    return {.workload = lapwing::complete({.volume = 1000004,
                                           .compute = 0.1 + 0.2,
                                           .grain = 8,
                                           .direction = lapwing::Direction::produce}),
            .fingerprint = "6b1c",
            .wire = 1.0 / 3,
            .blocking = {.elapsed = 0.4, .computation = 0.3, .wait = 0.09},
            .step = {.elapsed = 0.31, .computation = 0.29, .wait = 0.01},
            .messages = Messages::of({8, 8, 999984, 4}, 8),
            .window = 3,
            .poll_interval = 2e-5};
}

std::string changed(std::string document, const std::string& from, const std::string& to) {
    const auto at = document.find(from);
    REQUIRE(at != std::string::npos);
    return document.replace(at, from.size(), to);
}

std::string learnt_complaint(const std::string& document) {
    try {
        (void)lapwing::tuner_state_from_json(document);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("what a tuner learnt goes through a file unchanged", "[io]") {
    const TunerState learnt = example();
    const std::string path = std::filesystem::temp_directory_path() / "lapwing-test-learnt.json";
    save_tuner_state(path, learnt);
    const TunerState again = lapwing::load_tuner_state(path);
    std::filesystem::remove(path);
    CHECK(to_json(again) == to_json(learnt));
    CHECK(again.workload.compute == learnt.workload.compute);
    CHECK(again.workload.direction == lapwing::Direction::produce);
    CHECK(again.wire == learnt.wire);
    CHECK(again.blocking == learnt.blocking);
    CHECK(again.step == learnt.step);
    CHECK(again.messages == learnt.messages);
    CHECK_NOTHROW(lapwing::Tuner(
        [] {
            auto machine = lapwing::test::infiniband();
            machine.fingerprint = "6b1c";
            return machine;
        }(),
        again));
}

TEST_CASE("what a tuner learnt is kept in the form that its schema describes", "[io]") {
    // Python holds the file against the schema.
    CHECK(lapwing::read_file(LAPWING_TEST_DATA "/learnt.json") == to_json(example()));
}

TEST_CASE("what no tuner wrote is refused by name", "[io]") {
    using Catch::Matchers::Contains;
    const std::string good = to_json(example());
    CHECK(learnt_complaint(good) == "accepted");
    CHECK_THAT(learnt_complaint(""), Contains("not a JSON document"));
    CHECK_THAT(learnt_complaint(good.substr(0, good.size() / 2)), Contains("cut short"));
    CHECK_THAT(learnt_complaint("[]"), Contains("must be an object"));
    CHECK_THAT(learnt_complaint("{}"), Contains("schema_version is missing"));
    CHECK_THAT(learnt_complaint(changed(good, "\"schema_version\": 1", "\"schema_version\": 2")),
               Contains("schema_version is 2"));
    CHECK_THAT(learnt_complaint(changed(good, "\"wire\"", "\"wir\"")), Contains("wire is missing"));
    CHECK_THAT(learnt_complaint(changed(good, "\"volume\": 1000004", "\"volume\": -1")),
               Contains("volume is out of range"));
    CHECK_THAT(learnt_complaint(changed(good, "\"volume\": 1000004", "\"volume\": 0")),
               Contains("volume must be above 0"));
    CHECK_THAT(learnt_complaint(changed(good, "\"produce\"", "\"prduce\"")), Contains("direction"));
    CHECK_THAT(learnt_complaint(changed(good, "\"balanced\": true", "\"balanced\": 1")),
               Contains("balanced must be true or false"));
    CHECK_THAT(learnt_complaint(changed(good, "999984", "18446744073709551615")),
               Contains("messages have more bytes"));
    CHECK_THAT(learnt_complaint(changed(good, "999984", "0")),
               Contains("pairs of a size and a count"));
    CHECK_THAT(learnt_complaint(changed(good, "\"window\": 3", "\"window\": 3.5")),
               Contains("window must be a whole number"));
    CHECK_THROWS_WITH(lapwing::load_tuner_state("/nowhere/learnt.json"),
                      Catch::Matchers::StartsWith("/nowhere/learnt.json: "));
}
