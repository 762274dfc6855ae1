#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"

using Catch::Matchers::Contains;
using UnorderedJson = nlohmann::json;  // two objects are equal whatever the order of their members

namespace {

std::string kept(const std::string& name) {
    return lapwing::read_file(LAPWING_TEST_DATA "/profiles/" + name + ".json");
}

}  // namespace

TEST_CASE("a profile of an earlier version is the one that is written now", "[io]") {
    CHECK(to_json(lapwing::profile_from_json(kept("version-1"))) == kept("full"));
    CHECK(UnorderedJson::parse(lapwing::upgraded_profile(kept("version-1"))) ==
          UnorderedJson::parse(kept("full")));
}

TEST_CASE("a profile of the present version stays as it is", "[io]") {
    CHECK(UnorderedJson::parse(lapwing::upgraded_profile(kept("full"))) ==
          UnorderedJson::parse(kept("full")));
}

TEST_CASE("entries that were interpolated are listed by their present names", "[io]") {
    UnorderedJson document = UnorderedJson::parse(kept("version-1"));
    document["interpolated"] = {"log3p.rested_remote[0][1]", "log3p.remote[1][0]",
                                "overhead.send[8][6]"};
    CHECK(lapwing::profile_from_json(document.dump()).interpolated ==
          std::vector<std::string>{"log3p.isolated_strided[0][1]", "log3p.remote[1][0]",
                                   "overhead.send[8][6]"});
}

TEST_CASE("an exposed time of version 1 that is none is refused by its new name", "[io]") {
    UnorderedJson document = UnorderedJson::parse(kept("version-1"));
    document["progress"]["both_ways_half"] = 7;
    document["progress"]["both_ways"] = nullptr;
    CHECK_THROWS_WITH(lapwing::profile_from_json(document.dump()),
                      Contains("progress.exposed_time[0] must be an object"));
}

TEST_CASE("what is misshapen stays so, for the reader to name", "[io]") {
    for (const char* members : {R"("progress": 7)", R"("progress": null)", R"("progress": [1])",
                                R"("protocol": "none")", R"("log3p": {})", R"("loggp": {})"}) {
        INFO(members);
        const std::string rest = std::string(", ") + members + "}";
        const std::string upgraded = lapwing::upgraded_profile("{\"schema_version\": 1" + rest);
        CHECK(UnorderedJson::parse(upgraded) ==
              UnorderedJson::parse("{\"schema_version\": 2" + rest));
    }
}

TEST_CASE("other documents and later versions are refused", "[io]") {
    const auto complaint = [](const std::string& document) {
        try {
            (void)lapwing::upgraded_profile(document);
        } catch (const std::runtime_error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK_THAT(complaint(R"({"schema_version": 3})"),
               Contains("schema_version is 3") && Contains("reads 1 to 2"));
    CHECK_THAT(complaint(R"({"schema_version": 0})"), Contains("schema_version is 0"));
    CHECK_THAT(complaint(R"({"lapwing": "plan", "schema_version": 1})"),
               Contains("another document"));
    CHECK_THAT(complaint("{}"), Contains("schema_version is missing"));
    CHECK_THAT(complaint("[1, 2]"), Contains("must be an object"));
    CHECK_THAT(complaint("{"), Contains("not a JSON document"));
}
