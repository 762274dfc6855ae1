#include "lapwing/io/profile_json.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "lapwing/io/file.hpp"
#include "support/machine.hpp"
#include "support/sanitized.hpp"

using Json = nlohmann::ordered_json;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using lapwing::Profile;
using lapwing::profile_from_json;

namespace {

/// The message with which a document is refused; "" if it is read. Anything but a `runtime_error`
/// of one line fails the test.
std::string complaint(const std::string& document) {
    try {
        (void)profile_from_json(document);
    } catch (const std::runtime_error& error) {
        const std::string said = error.what();
        CHECK(said.find('\n') == std::string::npos);
        CHECK_THAT(said, StartsWith("profile: "));
        return said;
    }
    return "";
}

std::string complaint(const Json& document) { return complaint(document.dump()); }

Json document() { return Json::parse(to_json(lapwing::test::full_profile())); }

/// All places below a value, as JSON pointers, with the names `complaint` uses.
struct Field {
    Json::json_pointer pointer;
    std::string name;
};
std::vector<Field> fields() {
    std::vector<Field> all;
    const Json whole = document();
    for (const auto& [key, value] : whole.items()) {
        all.push_back({Json::json_pointer("/" + key), key});
        if (!value.is_object()) continue;
        for (const auto& [inner, ignored] : value.items())
            all.push_back({Json::json_pointer("/" + key + "/" + inner), key + "." + inner});
    }
    return all;
}

const std::vector<std::string> optional_fields = {
    "fingerprint", "clock_ratio", "error", "progress", "nic", "in_order_up_to",
    "queue_depth_reason", "latency", "plogp", "log3p", "protocol", "operations", "pairs",
    "patterns", "collectives", "algorithms", "kernels", "environment", "imported", "interpolated",
    "warnings", "topology",
    // Said, not measured: then nothing has to be.
    "topology.interconnect", "topology.placement", "topology.nodes", "topology.below",
    "topology.uplinks", "topology.near", "topology.far", "topology.reason",
    // Earlier profiles do not have them.
    "lapwing", "protocol.eager", "protocol.eager_overtakes", "protocol.buffered", "progress.O_s",
    "progress.O_r", "progress.O_both", "progress.exposed_time", "collectives.node_copy",
    "collectives.unexpected", "collectives.unexpected_per_byte"};
/// Fields that may be null: what was looked for and not found.
const std::vector<std::string> nullable = {"queue_depth",
                                           "latency",
                                           "collectives",
                                           "plogp",
                                           "log3p",
                                           "protocol",
                                           "protocol.outstanding",
                                           "protocol.completion_depth",
                                           "protocol.eager",
                                           "protocol.buffered",
                                           "topology"};

bool among(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool may_be_missing(const std::string& name) {
    return name.starts_with("machine.") || name.starts_with("kernels.") ||
           name.starts_with("environment.") || among(optional_fields, name);
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

bool same_bits(const lapwing::LogGP& a, const lapwing::LogGP& b) {
    return same_bits(a.L, b.L) && same_bits(a.o_s, b.o_s) && same_bits(a.o_r, b.o_r) &&
           same_bits(a.g, b.g) && same_bits(a.G, b.G);
}

void check_same(const lapwing::AsyncProgress& a, const lapwing::AsyncProgress& b) {
    CHECK(a.sizes == b.sizes);
    CHECK(same_bits(a.without_polling, b.without_polling));
    CHECK(same_bits(a.with_polling, b.with_polling));
    CHECK(a.window == b.window);
}

void check_same(const lapwing::ExposedTime& a, const lapwing::ExposedTime& b) {
    CHECK(a.traffic == b.traffic);
    CHECK(same_bits(a.computation, b.computation));
    CHECK(a.independent == b.independent);
    CHECK(a.sizes == b.sizes);
    CHECK(same_bits(a.exposed, b.exposed));
    CHECK(same_bits(a.exposed_polled, b.exposed_polled));
    CHECK(a.window == b.window);
}

void check_same(const Profile& a, const Profile& b) {
    CHECK(a.machine == b.machine);
    CHECK(same_bits(a.loggp, b.loggp));
    CHECK(same_bits(a.error, b.error));
    CHECK(a.overhead.sizes == b.overhead.sizes);
    CHECK(a.overhead.bursts == b.overhead.bursts);
    REQUIRE(a.overhead.send.size() == b.overhead.send.size());
    for (std::size_t i = 0; i < a.overhead.send.size(); ++i)
        CHECK(same_bits(a.overhead.send[i], b.overhead.send[i]));
    CHECK(same_bits(a.overhead.receive, b.overhead.receive));
    CHECK(a.bandwidth.sizes == b.bandwidth.sizes);
    CHECK(same_bits(a.bandwidth.unidirectional, b.bandwidth.unidirectional));
    CHECK(same_bits(a.bandwidth.bidirectional, b.bandwidth.bidirectional));
    check_same(a.progress, b.progress);
    REQUIRE(a.progress.exposed_time.size() == b.progress.exposed_time.size());
    for (std::size_t i = 0; i < a.progress.exposed_time.size(); ++i)
        check_same(a.progress.exposed_time[i], b.progress.exposed_time[i]);
    CHECK(same_bits(a.progress.poll_interval, b.progress.poll_interval));
    CHECK(same_bits(a.progress.O_s, b.progress.O_s));
    CHECK(same_bits(a.progress.O_r, b.progress.O_r));
    CHECK(same_bits(a.progress.O_both, b.progress.O_both));
    CHECK(a.nic == b.nic);
    CHECK(a.in_order_up_to == b.in_order_up_to);
    CHECK(a.queue_depth == b.queue_depth);
    CHECK(a.queue_depth_reason == b.queue_depth_reason);
    CHECK(a.warnings == b.warnings);
    // The other sections, by their documents: numbers are written to be read back bit by bit.
    CHECK(to_json(a) == to_json(b));
}

}  // namespace

TEST_CASE("a profile comes back from JSON to the bit", "[io]") {
    Profile profile = lapwing::test::full_profile();
    check_same(profile_from_json(to_json(profile)), profile);

    profile.queue_depth.reset();
    profile.queue_depth_reason = "none seen up to \"256\"\n\ttab";
    profile.nic = lapwing::Nic::serialising;
    profile.loggp.G = std::numeric_limits<double>::denorm_min();
    profile.loggp.L = std::numeric_limits<double>::max();
    profile.overhead.sizes.back() = std::numeric_limits<std::uint64_t>::max();
    profile.overhead.bursts.back() = std::numeric_limits<int>::max();
    check_same(profile_from_json(to_json(profile)), profile);
    check_same(profile_from_json(to_json(lapwing::test::infiniband())),
               lapwing::test::infiniband());

    lapwing::test::Random random(71);
    for (int trial = 0; trial < 200; ++trial) {
        const Profile any = lapwing::test::any_machine(random);
        check_same(profile_from_json(to_json(any)), any);
    }
}

TEST_CASE("names from the machine need not be text", "[io]") {
    Profile profile = lapwing::test::infiniband();
    profile.machine = {{"hosts", "n\xf6t UTF-8"}, {"", "no name"}, {"a.b/c~d", "odd name"}};
    const Profile back = profile_from_json(to_json(profile));
    REQUIRE(back.machine.size() == 3);
    CHECK(back.machine[1].second == "no name");
    CHECK(back.machine[2].second == "odd name");
}

TEST_CASE("a field that is missing is named", "[io]") {
    for (const auto& field : fields()) {
        Json spoiled = document();
        auto& parent = spoiled[field.pointer.parent_pointer()];
        parent.erase(field.pointer.back());
        const std::string said = complaint(spoiled);
        INFO(field.name << ": " << said);
        if (may_be_missing(field.name)) {
            CHECK(said.empty());
        } else {
            CHECK_THAT(said, Contains(field.name) && Contains("missing"));
        }
    }
}

TEST_CASE("a topology is measured, or said in words", "[io]") {
    Json document = Json::parse(to_json(lapwing::test::full_profile()));
    document["topology"] = {{"interconnect", "torus:4x4"}, {"placement", "random:3"}};
    const Profile said = lapwing::profile_from_json(document.dump());
    REQUIRE(said.topology);
    CHECK(said.topology->interconnect == "torus:4x4");
    CHECK(said.topology->placement == "random:3");
    const Json again = Json::parse(to_json(said));
    CHECK(again["topology"]["interconnect"] == "torus:4x4");
    CHECK(again["topology"]["placement"] == "random:3");
    // Words that say nothing are refused when the document is read.
    document["topology"]["placement"] = "anywhere";
    CHECK_THROWS_WITH(lapwing::profile_from_json(document.dump()),
                      Contains("topology.placement: 'anywhere' is no placement"));
    document["topology"] = {{"interconnect", "ring:4"}};
    CHECK_THROWS_WITH(lapwing::profile_from_json(document.dump()),
                      Contains("topology.interconnect: 'ring:4' is no topology"));
    document["topology"] = {{"placement", "consecutive"}};
    CHECK_THROWS_WITH(lapwing::profile_from_json(document.dump()),
                      Contains("topology.nodes is missing"));
}

TEST_CASE("another document is no profile", "[io]") {
    Json other = document();
    other["lapwing"] = "sweep";
    CHECK_THAT(complaint(other), Contains("lapwing is \"sweep\": another document"));
}

TEST_CASE("a field of the wrong type is named", "[io]") {
    const std::vector<Json> values = {nullptr,
                                      true,
                                      "text",
                                      Json::array({"a"}),
                                      Json::object(),
                                      3.5,
                                      -1,
                                      Json::array({nullptr}),
                                      Json::array({Json::array({Json::array({1})})})};
    for (const auto& field : fields()) {
        for (const auto& value : values) {
            Json spoiled = document();
            const Json& before = spoiled[field.pointer];
            const bool both_numbers = before.is_number() && value.is_number();
            const bool both_text = before.is_string() && value.is_string();
            const bool both_flags = before.is_boolean() && value.is_boolean();
            const bool fits = (among(nullable, field.name) && value.is_null()) ||
                              (among({"machine", "kernels", "environment", "environment.loggp",
                                      "environment.latency"},
                                     field.name) &&
                               value.is_object()) ||
                              ((field.name == "warnings" || field.name == "interpolated") &&
                               value == Json::array({"a"})) ||
                              (field.name == "log3p.crossover" && value == Json::array({nullptr}));
            if (both_numbers || both_text || both_flags || fits) continue;
            spoiled[field.pointer] = value;
            const std::string said = complaint(spoiled);
            INFO(field.name << " = " << value.dump() << ": " << said);
            CHECK_THAT(said, Contains(field.name));
        }
    }
}

TEST_CASE("a number that is out of range is named", "[io]") {
    struct Wrong {
        const char* field;
        const char* pointer;
        Json value;
    };
    const std::vector<Wrong> all = {
        {"schema_version", "/schema_version", 0},
        {"schema_version", "/schema_version", 3},
        {"schema_version", "/schema_version", -1},
        {"schema_version", "/schema_version", 1.0},
        {"schema_version", "/schema_version", 4294967297ULL},
        {"loggp.L", "/loggp/L", -1e-6},
        {"loggp.G", "/loggp/G", 0},
        {"queue_depth", "/queue_depth", 0},
        {"queue_depth", "/queue_depth", -5},
        {"queue_depth", "/queue_depth", 2147483648ULL},
        {"queue_depth", "/queue_depth", 1.5},
        {"overhead.sizes", "/overhead/sizes/0", -8},
        {"overhead.sizes", "/overhead/sizes/0", 0},
        {"overhead.sizes", "/overhead/sizes/1", 8},
        {"overhead.sizes", "/overhead/sizes/0", 8.5},
        {"overhead.bursts", "/overhead/bursts/0", 4294967297ULL},
        {"overhead.send", "/overhead/send/1/0", -1},
        {"overhead.receive", "/overhead/receive/2", -1},
        {"bandwidth.unidirectional", "/bandwidth/unidirectional/0", -7},
        {"progress.with_polling", "/progress/with_polling/0", -0.5},
        {"progress.window", "/progress/window/1", 0},
        {"progress.window", "/progress/window/1", 2147483648ULL},
        {"progress.poll_interval", "/progress/poll_interval", -1},
        {"progress.exposed_time", "/progress/exposed_time", 7},
        {"progress.exposed_time[0]", "/progress/exposed_time/0", 7},
        {"progress.exposed_time[0].traffic", "/progress/exposed_time/0/traffic", "send"},
        {"progress.exposed_time[0].traffic", "/progress/exposed_time/0/traffic", 1},
        {"progress.exposed_time[0].exposed", "/progress/exposed_time/0/exposed/0", -0.5},
        {"progress.exposed_time[0].window", "/progress/exposed_time/0/window/1", 0},
        {"progress.O_s", "/progress/O_s", -1e-9},
        {"progress.O_r", "/progress/O_r", -1e-9},
        {"progress.O_both", "/progress/O_both", -1e-9},
        {"nic", "/nic", "striped"},
    };
    for (const auto& wrong : all) {
        Json spoiled = document();
        spoiled[Json::json_pointer(wrong.pointer)] = wrong.value;
        INFO(wrong.field << " = " << wrong.value.dump());
        CHECK_THAT(complaint(spoiled), Contains(wrong.field));
    }
    // Both versions are in the message, and what to do.
    Json newer = document();
    newer["schema_version"] = 7;
    CHECK_THAT(complaint(newer), Contains("7") && Contains("1") && Contains("calibrate again"));
}

TEST_CASE("numbers JSON does not know are refused", "[io]") {
    const std::string good = to_json(lapwing::test::full_profile());
    const std::string number = "\"L\": 5.1e-06";
    const auto at = good.find(number);
    REQUIRE(at != std::string::npos);
    for (const char* value : {"NaN", "nan", "Infinity", "-Infinity", "inf", "1e999", "-1e999",
                              "0x10", "+1", ".5", "1.", "1e", "--1"}) {
        std::string spoiled = good;
        spoiled.replace(at, number.size(), std::string("\"L\": ") + value);
        INFO(value);
        CHECK_FALSE(complaint(spoiled).empty());
    }
    // Whole numbers beyond 64 bits are numbers all the same, where a real number is wanted ...
    std::string large = good;
    large.replace(at, number.size(), "\"L\": 99999999999999999999999");
    CHECK(profile_from_json(large).loggp.L == 1e23);
    // ... and no sizes.
    Json spoiled = document();
    spoiled["overhead"]["sizes"][2] = 1e30;
    CHECK_THAT(complaint(spoiled), Contains("overhead.sizes"));
}

TEST_CASE("a document cut short anywhere is refused", "[io]") {
    const std::string whole = to_json(lapwing::test::full_profile());
    const std::size_t step = lapwing::test::sanitized ? 5 : 1;
    // The last byte is the end of the line.
    for (std::size_t length = 0; length + 1 < whole.size(); length += step) {
        INFO(length);
        CHECK_FALSE(complaint(whole.substr(0, length)).empty());
    }
    CHECK(complaint(whole.substr(0, whole.size() - 1)).empty());
    CHECK_FALSE(complaint(whole + "x").empty());
}

TEST_CASE("what is no object, or no JSON, is refused", "[io]") {
    for (const char* text : {"", " ", "null", "1", "\"text\"", "[]", "[1, 2]", "{", "}", "{}",
                             "schema_version: 1", "\xff\xfe", "{\"schema_version\": 1}"})
        CHECK_FALSE(complaint(std::string(text)).empty());
    CHECK_FALSE(complaint(std::string(1, '\0')).empty());
}

TEST_CASE("fields that are not known are passed over", "[io]") {
    Json extended = document();
    extended["later"] = {{"deep", Json::array({1, 2, Json::object()})}};
    extended["loggp"]["later"] = "x";
    extended["overhead"]["later"] = nullptr;
    check_same(profile_from_json(extended.dump()), lapwing::test::full_profile());
}

TEST_CASE("deep nesting exhausts nothing", "[io]") {
    constexpr std::size_t depth = 100000;
    const std::string open(depth, '[');
    const std::string close(depth, ']');
    CHECK_FALSE(complaint(open).empty());
    CHECK_FALSE(complaint(open + close).empty());
    CHECK_FALSE(complaint("{\"schema_version\": " + open + close + "}").empty());
    std::string objects;
    for (std::size_t i = 0; i < depth; ++i) objects += "{\"a\":";
    CHECK_FALSE(complaint(objects).empty());
}

TEST_CASE("deep nesting does no harm where it is not looked at", "[io]") {
    constexpr std::size_t depth = 100000;
    const std::string good = to_json(lapwing::test::full_profile());
    CHECK(complaint("{\"later\": " + std::string(depth, '[') + std::string(depth, ']') + "," +
                    good.substr(1))
              .empty());
}

TEST_CASE("a message stays one line whatever the document calls its fields", "[io]") {
    Json spoiled = document();
    spoiled["machine"]["two\nlines"] = 1;
    CHECK_FALSE(complaint(spoiled).empty());
}

TEST_CASE("a name with a zero byte is a name", "[io]") {
    Profile profile = lapwing::test::infiniband();
    profile.machine = {{std::string("a\0b", 3), "value"}};
    CHECK(complaint(to_json(profile)).empty());
}

TEST_CASE("an error that JSON cannot say is refused before it is written", "[io]") {
    Profile profile = lapwing::test::infiniband();
    profile.error.L = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH(validate(profile), StartsWith("error."));
}

TEST_CASE("load_profile names the file", "[io]") {
    CHECK_THROWS_WITH(lapwing::load_profile("/no/such/profile.json"),
                      StartsWith("/no/such/profile.json: "));
    const auto path =
        (std::filesystem::temp_directory_path() / "lapwing-test-profile.json").string();
    lapwing::write_file(path, to_json(lapwing::test::full_profile()));
    check_same(lapwing::load_profile(path), lapwing::test::full_profile());
    lapwing::write_file(path, "{\"schema_version\": 9}");
    CHECK_THROWS_WITH(lapwing::load_profile(path),
                      StartsWith(path + ": profile: schema_version is 9"));
    std::filesystem::remove(path);
}

TEST_CASE("inputs kept from fuzzing are read or refused", "[io]") {
    const std::filesystem::path inputs = std::filesystem::path(LAPWING_TEST_DATA) / "profiles";
    int read = 0;
    for (const auto& entry : std::filesystem::directory_iterator(inputs)) {
        INFO(entry.path());
        complaint(lapwing::read_file(entry.path().string()));
        ++read;
    }
    CHECK(read > 0);
}

TEST_CASE("documents with random damage are read or refused", "[io]") {
    const std::string whole = to_json(lapwing::test::full_profile());
    const std::string marks = "{}[]\",:.-+0123456789eEntfu\\ \n\xff\x01";
    lapwing::test::Random random(72);
    const int trials = lapwing::test::sanitized ? 1000 : 5000;
    int accepted = 0;
    for (int trial = 0; trial < trials; ++trial) {
        std::string damaged = whole;
        for (auto edits = random.integer(1, 4); edits > 0; --edits) {
            const std::size_t at = random.integer(0, damaged.size() - 1);
            const std::size_t length = std::min(random.integer(1, 40), damaged.size() - at);
            const char mark = marks[random.integer(0, marks.size() - 1)];
            switch (random.integer(0, 4)) {
                case 0:
                    damaged[at] = mark;
                    break;
                case 1:
                    damaged.insert(at, 1, mark);
                    break;
                case 2:
                    damaged.erase(at, length);
                    break;
                case 3:
                    damaged.insert(random.integer(0, damaged.size()), damaged.substr(at, length));
                    break;
                default:
                    damaged.replace(at, length, damaged, random.integer(0, damaged.size() - 1),
                                    length);
            }
            if (damaged.empty()) damaged = " ";
        }
        try {
            validate(profile_from_json(damaged));
            ++accepted;
        } catch (const std::runtime_error&) {
        }
    }
    CHECK(accepted > 0);
    CHECK(accepted < trials);
}

TEST_CASE("the kept profile with every field is what is written", "[io]") {
    // The Python tests compare this file with the schema, which thus describes every field.
    const std::string kept = lapwing::read_file(LAPWING_TEST_DATA "/profiles/full.json");
    CHECK(kept == to_json(lapwing::test::full_profile()));
}
