#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

using Json = nlohmann::ordered_json;

/// A section of a profile: a type with `fields`.
template <class Value>
concept Section = requires(Value value) {
    Value::fields(value, [](auto&&...) {});
};

/// Throws `std::runtime_error`: the reason, in one line that names the place, why a document cannot
/// be read.
[[noreturn]] inline void refuse_document(const std::string& what) {
    throw std::runtime_error(what);
}

/// Parses the text of a document. Throws `std::runtime_error` if it is not JSON.
inline Json parse_document(std::string_view document) {
    try {
        // Documents are five levels deep. Deeper values are dropped, because copying them recurses.
        constexpr int deepest = 16;
        return Json::parse(document,
                           [](int depth, Json::parse_event_t, Json&) { return depth <= deepest; });
    } catch (const Json::exception&) {
        refuse_document("not a JSON document, or one cut short");
    }
}

/// `name` for a message of one line: names in a file may hold any characters.
inline std::string shown(const std::string& name) {
    for (const char letter : name)
        if (letter < ' ' || letter > '~') return "(a name that cannot be shown)";
    return name;
}

// Writing: a value as JSON.

template <class Value>
Json to_document(const std::optional<Value>& value);
template <class Value>
Json to_document(const std::vector<Value>& values);

template <class Value>
Json to_document(const Value& value) {
    if constexpr (Section<Value>) {
        Json object = Json::object();
        Value::fields(value, [&](const char* name, const auto& member, auto rule) {
            if constexpr (std::is_same_v<decltype(rule), fields::OptionalCost>)
                if (member == 0) return;
            if constexpr (std::is_same_v<decltype(rule), fields::OptionalSections> ||
                          std::is_same_v<decltype(rule), fields::OptionalText> ||
                          std::is_same_v<decltype(rule), fields::OptionalColumn>)
                if (member.empty()) return;
            object[name] = to_document(member);
        });
        return object;
    } else if constexpr (std::is_enum_v<Value>) {
        return names_of(value)[static_cast<std::size_t>(value)];
    } else {
        return value;
    }
}
template <class Value>
Json to_document(const std::optional<Value>& value) {
    return value ? to_document(*value) : Json(nullptr);
}
template <class Value>
Json to_document(const std::vector<Value>& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(to_document(value));
    return list;
}

// Reading: JSON as a value. `place` is its name in messages.

template <class Value>
void from_document(const Json& json, const std::string& place, std::optional<Value>& value);
template <class Value>
void from_document(const Json& json, const std::string& place, std::vector<Value>& values);

inline const Json& require_field(const Json& object, const std::string& place, const char* name) {
    if (!object.is_object()) refuse_document(place + " must be an object");
    const auto found = object.find(name);
    const std::string path = place == "document" ? name : place + "." + name;
    if (found == object.end()) refuse_document(path + " is missing");
    return *found;
}

/// Reads one of the names of an enumeration, `names_of(value)`.
template <class Enumeration>
void from_name(const Json& json, const std::string& place, Enumeration& value) {
    if (!json.is_string()) refuse_document(place + " must be a string");
    const auto names = names_of(value);
    std::string all;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (json == names[i]) {
            value = static_cast<Enumeration>(i);
            return;
        }
        all += (i > 0 ? " or \"" : "\"") + std::string(names[i]) + "\"";
    }
    refuse_document(place + " must be " + all);
}

template <class Value>
void from_document(const Json& json, const std::string& place, Value& value) {
    if constexpr (Section<Value>) {
        if (!json.is_object()) refuse_document(place + " must be an object");
        Value::fields(value, [&](const char* name, auto& member, auto rule) {
            using Rule = decltype(rule);
            if constexpr (std::is_same_v<Rule, fields::Optional> ||
                          std::is_same_v<Rule, fields::OptionalCost> ||
                          std::is_same_v<Rule, fields::DefaultCost> ||
                          std::is_same_v<Rule, fields::OptionalText> ||
                          std::is_same_v<Rule, fields::OptionalSections> ||
                          std::is_same_v<Rule, fields::OptionalColumn>)
                if (!json.contains(name)) return;
            from_document(require_field(json, place, name), place + "." + name, member);
        });
    } else if constexpr (std::is_same_v<Value, std::string>) {
        if (!json.is_string()) refuse_document(place + " must be a string");
        value = json.get<std::string>();
    } else if constexpr (std::is_enum_v<Value>) {
        from_name(json, place, value);
    } else if constexpr (std::is_same_v<Value, bool>) {
        if (!json.is_boolean()) refuse_document(place + " must be true or false");
        value = json.get<bool>();
    } else if constexpr (std::is_integral_v<Value>) {
        // The JSON library would wrap numbers that do not fit, and cut those that are not whole.
        if (!json.is_number_integer()) refuse_document(place + " must be a whole number");
        if (!json.is_number_unsigned() ||
            json.get<std::uint64_t>() >
                static_cast<std::uint64_t>(std::numeric_limits<Value>::max()))
            refuse_document(place + " is out of range");
        value = json.get<Value>();
    } else {
        if (!json.is_number()) refuse_document(place + " must be a number");
        value = json.get<Value>();
    }
}
template <class Value>
void from_document(const Json& json, const std::string& place, std::optional<Value>& value) {
    value.reset();
    if (!json.is_null()) from_document(json, place, value.emplace());
}
template <class Value>
void from_document(const Json& json, const std::string& place, std::vector<Value>& values) {
    if (!json.is_array()) refuse_document(place + " must be an array");
    values.clear();
    values.reserve(json.size());
    for (const auto& entry : json) {
        // Messages name a section by its place in the list, a number or a row by its table.
        const std::string each =
            Section<Value> ? place + "[" + std::to_string(values.size()) + "]" : place;
        from_document(entry, each, values.emplace_back());
    }
}

}  // namespace lapwing
