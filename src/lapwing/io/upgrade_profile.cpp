#include "lapwing/io/upgrade_profile.hpp"

#include <array>

#include "lapwing/io/section_json.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {
namespace {

/// A key that got another name. `section`: the object that holds it, "" for the document itself.
struct Renamed {
    const char* section;
    const char* before;
    const char* now;
};

constexpr std::array renamed_in_2{
    Renamed{"", "typical_clock", "clock_ratio"},
    Renamed{"", "in_order", "in_order_up_to"},
    Renamed{"progress", "unattended", "without_polling"},
    Renamed{"progress", "polled", "with_polling"},
    Renamed{"log3p", "rested", "isolated"},
    Renamed{"log3p", "rested_remote", "isolated_strided"},
    Renamed{"log3p", "rested_packed", "isolated_packed"},
    Renamed{"protocol", "jumps", "switch_costs"},
    Renamed{"protocol", "overtaken", "eager_overtakes"},
};

/// A section of `progress` that became an entry of its list `exposed_time`.
struct Exposed {
    const char* before;
    const char* traffic;
    double computation;
    bool independent;
};

constexpr std::array exposed_in_1{
    Exposed{"both_ways", "both", 1, false},
    Exposed{"both_ways_half", "both", 0.5, false},
    Exposed{"both_ways_loose", "both", 1, true},
    Exposed{"receiving", "receive", 1.5, false},
};

/// An indicator of the environment, and the tolerance that version 1 did not write.
struct IndicatorOf1 {
    const char* before;
    const char* now;
    double tolerance;
};

constexpr std::array indicators_in_1{
    IndicatorOf1{"core_to_core", "cache_line_seconds", 1.4},
    IndicatorOf1{"core_alone", "core_throughput_seconds", 1.15},
    IndicatorOf1{"kernel_path", "syscall_seconds", 1.12},
};

/// The member `name` of `object` if that is an object which has it; null otherwise.
Json* find_member(Json& object, const char* name) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

/// Gives a member of `object` another name, and keeps its place.
void rename(Json& object, const char* before, const char* now) {
    if (find_member(object, before) == nullptr) return;
    Json renamed = Json::object();
    for (auto& [name, value] : object.items())
        renamed[name == before ? now : name] = std::move(value);
    object = std::move(renamed);
}

/// Makes one list of the sections of `progress` that say what messages expose.
void list_exposed_times(Json& progress) {
    Json list = Json::array();
    for (const auto& [before, traffic, computation, independent] : exposed_in_1) {
        const Json* const found = find_member(progress, before);
        if (found == nullptr) continue;
        Json entry = *found;
        progress.erase(before);
        if (entry.is_null()) continue;
        if (entry.is_object())
            entry.update(Json{
                {"traffic", traffic}, {"computation", computation}, {"independent", independent}});
        list.push_back(std::move(entry));
    }
    if (!list.empty()) progress["exposed_time"] = std::move(list);
}

/// The environment that the members of `seconds` describe.
Json environment_of(Json& seconds) {
    Json environment = Json::object();
    for (const auto& [before, now, tolerance] : indicators_in_1)
        if (const Json* const value = find_member(seconds, before); value != nullptr && *value != 0)
            environment[now] = Json{{"value", *value}, {"tolerance", tolerance}};
    return environment;
}

/// Makes one `environment` of what each part was measured in and of the best that was met. Without
/// the former, the best is that of the part that was always measured.
void gather_environment(Json& document) {
    Json parts = Json::object();
    if (Json* const measured_in = find_member(document, "measured_in")) {
        if (measured_in->is_object())
            for (auto& [part, seconds] : measured_in->items())
                parts[part] = environment_of(seconds);
        document.erase("measured_in");
    } else if (Json best = environment_of(document); !best.empty()) {
        parts["loggp"] = std::move(best);
    }
    for (const auto& each : indicators_in_1) document.erase(each.before);
    if (!parts.empty()) document["environment"] = std::move(parts);
}

/// Renames a table in `interpolated`, which lists single entries: "log3p.rested_remote[0][1]".
void rename_places(Json& document, const std::string& before, const std::string& now) {
    Json* const places = find_member(document, "interpolated");
    if (places == nullptr || !places->is_array()) return;
    for (Json& place : *places) {
        if (!place.is_string()) continue;
        const auto text = place.get<std::string>();
        if (text.starts_with(before + "[")) place = now + text.substr(before.size());
    }
}

void upgrade_to_2(Json& document) {
    for (const auto& [section, before, now] : renamed_in_2) {
        Json* const holder = *section == '\0' ? &document : find_member(document, section);
        if (holder != nullptr) rename(*holder, before, now);
        rename_places(document, std::string(section) + "." + before,
                      std::string(section) + "." + now);
    }
    if (Json* const progress = find_member(document, "progress")) list_exposed_times(*progress);
    gather_environment(document);
}

/// The schema version of a profile document. Refuses every other document.
int version_of(const Json& document) {
    // Version 1 was also written without a word on what the document is.
    if (document.is_object() && document.contains("lapwing")) {
        std::string name;
        from_document(document["lapwing"], "lapwing", name);
        if (name != "profile")
            refuse_document("lapwing is \"" + shown(name) + "\": another document");
    }
    int version = 0;
    from_document(require_field(document, "document", "schema_version"), "schema_version", version);
    if (version < 1 || version > Profile::schema_version)
        refuse_document("schema_version is " + std::to_string(version) +
                        ", this Lapwing reads 1 to " + std::to_string(Profile::schema_version) +
                        "; calibrate again");
    return version;
}

}  // namespace

void upgrade_profile(Json& document) {
    const int version = version_of(document);
    if (version < 2) upgrade_to_2(document);
    document["schema_version"] = Profile::schema_version;
}

}  // namespace lapwing
