#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "lapwing/io/section_json.hpp"

namespace lapwing {

/// Reads the members of a JSON object by their names. A member that is missing or of another type
/// is refused, with its place in the document.
class DocumentReader {
  public:
    /// `place`: the name of `json` in messages. `json` outlives this.
    DocumentReader(const Json& json, std::string place) : json_(json), place_(std::move(place)) {}

    template <class Value>
    void operator()(const char* name, Value& value) const {
        from_document(require_field(json_, place_, name), path(name), value);
    }
    /// Reads a member that is the name of an enumerator; `named` finds it.
    template <class Enumeration>
    void word(const char* name, Enumeration& value, Enumeration (*named)(std::string_view)) const {
        std::string text;
        (*this)(name, text);
        value = named(text);
    }
    /// Reads a time that is an object, `{"seconds": …}`.
    void time(const char* name, double& seconds) const {
        object(name)("seconds", seconds);
        if (seconds < 0) refuse_document(path(name) + " must be a number of seconds, 0 or more");
    }
    /// Whether there is such a member: documents written earlier lack some.
    [[nodiscard]] bool has(const char* name) const { return json_.contains(name); }
    [[nodiscard]] bool null(const char* name) const {
        return require_field(json_, place_, name).is_null();
    }
    [[nodiscard]] DocumentReader object(const char* name) const {
        return {require_field(json_, place_, name), path(name)};
    }

  private:
    [[nodiscard]] std::string path(const char* name) const {
        return place_ == "document" ? name : place_ + "." + name;
    }

    const Json& json_;
    std::string place_;
};

}  // namespace lapwing
