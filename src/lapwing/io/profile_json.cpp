#include "lapwing/io/profile_json.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "lapwing/io/file.hpp"

namespace lapwing {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string& what) { throw std::runtime_error("profile: " + what); }

const char* name(Nic nic) { return nic == Nic::serialising ? "serialising" : "sharing"; }

Json loggp_json(const LogGP& p) {
    return {{"L", p.L}, {"o_s", p.o_s}, {"o_r", p.o_r}, {"g", p.g}, {"G", p.G}};
}

/// Reads one object of a document and knows its place in it for messages.
class Reader {
  public:
    Reader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
        if (!object.is_object()) refuse(place_ + " must be an object");
    }

    [[nodiscard]] Reader object(const char* key) const { return {field(key), path(key)}; }
    [[nodiscard]] bool has(const char* key) const { return object_.contains(key); }

    template <class Value>
    [[nodiscard]] Value get(const char* key) const {
        return convert<Value>(field(key), path(key));
    }
    template <class Value>
    [[nodiscard]] std::vector<Value> list(const char* key) const {
        return list<Value>(field(key), path(key));
    }
    [[nodiscard]] std::vector<std::vector<double>> rows(const char* key) const {
        std::vector<std::vector<double>> rows;
        for (const auto& row : array(field(key), path(key)))
            rows.push_back(list<double>(row, path(key)));
        return rows;
    }
    [[nodiscard]] std::string text(const std::string& key, const Json& value) const {
        if (!value.is_string()) {
            // The name is the file's own and may hold anything: a message is one line.
            const bool plain = std::all_of(key.begin(), key.end(),
                                           [](unsigned char c) { return std::isprint(c) != 0; });
            refuse(place_ + "." + (plain ? key : "(a name that cannot be shown)") +
                   " must be a string");
        }
        return value.get<std::string>();
    }
    [[nodiscard]] const Json& field(const char* key) const {
        const auto found = object_.find(key);
        if (found == object_.end()) refuse(path(key) + " is missing");
        return *found;
    }
    [[nodiscard]] std::string path(const char* key) const {
        return place_ == "document" ? key : place_ + "." + key;
    }

  private:
    static const Json& array(const Json& value, const std::string& place) {
        if (!value.is_array()) refuse(place + " must be an array");
        return value;
    }
    template <class Value>
    static std::vector<Value> list(const Json& value, const std::string& place) {
        std::vector<Value> values;
        for (const auto& entry : array(value, place))
            values.push_back(convert<Value>(entry, place));
        return values;
    }
    template <class Value>
    static Value convert(const Json& value, const std::string& place) {
        if constexpr (std::is_same_v<Value, std::string>) {
            if (!value.is_string()) refuse(place + " must be a string");
        } else if constexpr (std::is_integral_v<Value>) {
            // The JSON library would wrap what does not fit and cut what is not whole.
            if (!value.is_number_integer()) refuse(place + " must be a whole number");
            if (!value.is_number_unsigned() ||
                value.get<std::uint64_t>() >
                    static_cast<std::uint64_t>(std::numeric_limits<Value>::max()))
                refuse(place + " is out of range");
        } else if (!value.is_number()) {
            refuse(place + " must be a number");
        }
        return value.get<Value>();
    }

    const Json& object_;
    std::string place_;
};

LogGP read_loggp(const Reader& reader) {
    return {.L = reader.get<double>("L"),
            .o_s = reader.get<double>("o_s"),
            .o_r = reader.get<double>("o_r"),
            .g = reader.get<double>("g"),
            .G = reader.get<double>("G")};
}

Profile read(const Json& document) {
    const Reader root(document, "document");
    const int version = root.get<int>("schema_version");
    if (version != Profile::schema_version)
        refuse("schema_version is " + std::to_string(version) + ", this Lapwing reads " +
               std::to_string(Profile::schema_version) + "; calibrate again");

    Profile profile;
    const Reader machine = root.object("machine");
    for (const auto& [key, value] : root.field("machine").items())
        profile.machine.emplace_back(key, machine.text(key, value));
    profile.loggp = read_loggp(root.object("loggp"));
    if (root.has("error")) profile.error = read_loggp(root.object("error"));

    const Reader overhead = root.object("overhead");
    profile.overhead = {.sizes = overhead.list<std::uint64_t>("sizes"),
                        .bursts = overhead.list<int>("bursts"),
                        .send = overhead.rows("send"),
                        .receive = overhead.list<double>("receive")};
    const Reader bandwidth = root.object("bandwidth");
    profile.bandwidth = {.sizes = bandwidth.list<std::uint64_t>("sizes"),
                         .unidirectional = bandwidth.list<double>("unidirectional"),
                         .bidirectional = bandwidth.list<double>("bidirectional")};
    if (root.has("progress")) {
        const Reader progress = root.object("progress");
        profile.progress = {.sizes = progress.list<std::uint64_t>("sizes"),
                            .unattended = progress.list<double>("unattended"),
                            .polled = progress.list<double>("polled"),
                            .window = progress.list<int>("window"),
                            .poll_interval = progress.get<double>("poll_interval")};
    }
    if (root.has("nic")) {
        const auto nic = root.get<std::string>("nic");
        if (nic != name(Nic::serialising) && nic != name(Nic::sharing))
            refuse("nic must be \"serialising\" or \"sharing\"");
        profile.nic = nic == name(Nic::sharing) ? Nic::sharing : Nic::serialising;
    }
    if (!root.field("queue_depth").is_null()) profile.queue_depth = root.get<int>("queue_depth");
    if (root.has("queue_depth_reason"))
        profile.queue_depth_reason = root.get<std::string>("queue_depth_reason");
    if (root.has("warnings")) profile.warnings = root.list<std::string>("warnings");

    try {
        validate(profile);
    } catch (const std::invalid_argument& error) {
        refuse(error.what());
    }
    return profile;
}

}  // namespace

std::string to_json(const Profile& profile) {
    Json machine = Json::object();
    for (const auto& [key, value] : profile.machine) machine[key] = value;
    const auto& overhead = profile.overhead;
    const auto& bandwidth = profile.bandwidth;
    const auto& progress = profile.progress;
    const Json document = {
        {"schema_version", Profile::schema_version},
        {"machine", machine},
        {"loggp", loggp_json(profile.loggp)},
        {"error", loggp_json(profile.error)},
        {"overhead",
         {{"sizes", overhead.sizes},
          {"bursts", overhead.bursts},
          {"send", overhead.send},
          {"receive", overhead.receive}}},
        {"bandwidth",
         {{"sizes", bandwidth.sizes},
          {"unidirectional", bandwidth.unidirectional},
          {"bidirectional", bandwidth.bidirectional}}},
        {"progress",
         {{"sizes", progress.sizes},
          {"unattended", progress.unattended},
          {"polled", progress.polled},
          {"window", progress.window},
          {"poll_interval", progress.poll_interval}}},
        {"nic", name(profile.nic)},
        {"queue_depth", profile.queue_depth ? Json(*profile.queue_depth) : Json(nullptr)},
        {"queue_depth_reason", profile.queue_depth_reason},
        {"warnings", profile.warnings}};
    // Names come from the machine and need not be UTF-8: what is not is replaced, not refused.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Profile profile_from_json(std::string_view document) {
    Json json;
    try {
        // A profile is four levels deep. Copying a value recurses: what is deeper is passed over.
        constexpr int deepest = 16;
        json = Json::parse(document,
                           [](int depth, Json::parse_event_t, Json&) { return depth <= deepest; });
    } catch (const Json::exception&) {
        refuse("not a JSON document, or one cut short");
    }
    return read(json);
}

Profile load_profile(const std::string& path) {
    const std::string document = read_file(path);
    try {
        return profile_from_json(document);
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(path + ": " + error.what());
    }
}

}  // namespace lapwing
