#include "lapwing/io/profile_json.hpp"

#include "lapwing/io/file.hpp"
#include "lapwing/io/section_json.hpp"
#include "lapwing/io/upgrade_profile.hpp"

namespace lapwing {
namespace {

/// By part, and in it by indicator.
Json environment_object(const Profile& profile) {
    Json parts = Json::object();
    for (const auto& [part, environment] : profile.environment) {
        parts[part] = Json::object();
        for (const Indicator& each : environment.indicators)
            parts[part][each.name] = to_document(each);
    }
    return parts;
}
void read_environment(const Json& json, Profile& profile) {
    if (!json.is_object()) refuse_document("environment must be an object");
    for (const auto& [part, indicators] : json.items()) {
        const std::string place = "environment." + shown(part);
        if (!indicators.is_object()) refuse_document(place + " must be an object");
        auto& environment = profile.environment.emplace_back(part, Environment{}).second;
        for (const auto& [name, value] : indicators.items()) {
            Indicator& indicator = environment.indicators.emplace_back();
            from_document(value, place + "." + shown(name), indicator);
            indicator.name = name;
        }
    }
}

template <class Value>
Json object_of(const std::vector<std::pair<std::string, Value>>& entries) {
    Json object = Json::object();
    for (const auto& [key, value] : entries) object[key] = to_document(value);
    return object;
}
template <class Value>
void read_entries(const Json& json, const std::string& place,
                  std::vector<std::pair<std::string, Value>>& entries) {
    if (!json.is_object()) refuse_document(place + " must be an object");
    for (const auto& [key, value] : json.items())
        from_document(value, place + "." + shown(key), entries.emplace_back(key, Value{}).second);
}

Profile read(Json document) {
    upgrade_profile(document);
    const auto required = [&](const char* key, auto& member) {
        from_document(require_field(document, "document", key), key, member);
    };
    const auto optional = [&](const char* key, auto& member) {
        if (document.contains(key)) required(key, member);
    };
    Profile profile;
    read_entries(require_field(document, "document", "machine"), "machine", profile.machine);
    optional("fingerprint", profile.fingerprint);
    optional("clock_ratio", profile.clock_ratio);
    required("loggp", profile.loggp);
    optional("error", profile.error);
    required("overhead", profile.overhead);
    required("bandwidth", profile.bandwidth);
    optional("progress", profile.progress);
    optional("nic", profile.nic);
    optional("in_order_up_to", profile.in_order_up_to);
    required("queue_depth", profile.queue_depth);
    optional("queue_depth_reason", profile.queue_depth_reason);
    optional("latency", profile.latency);
    optional("plogp", profile.plogp);
    optional("log3p", profile.log3p);
    optional("protocol", profile.protocol);
    optional("topology", profile.topology);
    if (profile.topology && profile.topology->interconnect.empty())  // then it was measured
        for (const char* const name : {"nodes", "below", "uplinks", "near", "far", "reason"})
            (void)require_field(document["topology"], "topology", name);
    optional("operations", profile.operations);
    optional("pairs", profile.pairs);
    optional("patterns", profile.patterns);
    optional("collectives", profile.collectives);
    optional("algorithms", profile.algorithms);
    if (document.contains("kernels")) read_entries(document["kernels"], "kernels", profile.kernels);
    if (document.contains("environment")) read_environment(document["environment"], profile);
    optional("imported", profile.imported);
    optional("interpolated", profile.interpolated);
    optional("warnings", profile.warnings);

    try {
        validate(profile);
    } catch (const std::invalid_argument& error) {
        refuse_document(error.what());
    }
    return profile;
}

/// Calls `read`; what it throws gets the name of the document in front.
template <class Read>
auto named_profile(Read&& read) {
    try {
        return read();
    } catch (const std::runtime_error& error) {
        throw std::runtime_error(std::string("profile: ") + error.what());
    }
}

}  // namespace

std::string to_json(const Profile& profile) {
    Json document;
    document["lapwing"] = "profile";
    document["schema_version"] = Profile::schema_version;
    document["machine"] = object_of(profile.machine);
    // What was not measured is left out.
    const auto write = [&](const char* key, const auto& value, bool measured = true) {
        if (measured) document[key] = to_document(value);
    };
    write("fingerprint", profile.fingerprint, !profile.fingerprint.empty());
    write("clock_ratio", profile.clock_ratio, profile.clock_ratio < 1);
    write("loggp", profile.loggp);
    write("error", profile.error);
    write("overhead", profile.overhead);
    write("bandwidth", profile.bandwidth);
    write("progress", profile.progress);
    write("nic", profile.nic);
    write("in_order_up_to", profile.in_order_up_to, profile.in_order_up_to > 0);
    write("queue_depth", profile.queue_depth);
    write("queue_depth_reason", profile.queue_depth_reason);
    write("latency", profile.latency, profile.latency.has_value());
    write("plogp", profile.plogp, profile.plogp.has_value());
    write("log3p", profile.log3p, profile.log3p.has_value());
    write("protocol", profile.protocol, profile.protocol.has_value());
    write("topology", profile.topology, profile.topology.has_value());
    write("operations", profile.operations, !profile.operations.empty());
    write("pairs", profile.pairs, !profile.pairs.empty());
    write("patterns", profile.patterns, !profile.patterns.empty());
    write("collectives", profile.collectives, profile.collectives.has_value());
    write("algorithms", profile.algorithms, !profile.algorithms.empty());
    if (!profile.kernels.empty()) document["kernels"] = object_of(profile.kernels);
    if (!profile.environment.empty()) document["environment"] = environment_object(profile);
    write("imported", profile.imported, !profile.imported.empty());
    write("interpolated", profile.interpolated, !profile.interpolated.empty());
    write("warnings", profile.warnings);
    // Names come from the machine and need not be UTF-8: what is not is replaced, not refused.
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string upgraded_profile(std::string_view document) {
    return named_profile([&] {
        Json json = parse_document(document);
        upgrade_profile(json);
        return json.dump(-1, ' ', false, Json::error_handler_t::replace);
    });
}

Profile profile_from_json(std::string_view document) {
    return named_profile([&] { return read(parse_document(document)); });
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
