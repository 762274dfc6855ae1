#include "operations_json.hpp"

#include "lapwing/io/section_json.hpp"

namespace lapwing::tools {

std::string operations_json(const Profile& profile) {
    Json document;
    document["operations"] = to_document(profile.operations);
    document["interpolated"] = to_document(profile.interpolated);
    document["warnings"] = to_document(profile.warnings);
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace lapwing::tools
