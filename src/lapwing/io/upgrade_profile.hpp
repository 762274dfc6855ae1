#pragma once

#include <nlohmann/json_fwd.hpp>

namespace lapwing {

/// Turns a profile document of any schema version up to the present one into the present form.
/// Throws `std::runtime_error` if it is another document, or of a version that this Lapwing does
/// not know. Passes over what is misshapen inside: whoever reads the members names it.
void upgrade_profile(nlohmann::ordered_json& document);

}  // namespace lapwing
