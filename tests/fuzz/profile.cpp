// A fuzzer of the reader of profiles: whatever it is given, it reads a profile that can be written
// and read again, and planned with or refused, or it says in one line what is wrong.
//
//     build/fuzz/bin/fuzz-profile -max_total_time=600 build/fuzz/found tests/data/profiles

#include "lapwing/io/profile_json.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/plan/plan.hpp"
#include "require.hpp"

namespace {

void plan_with(const lapwing::Profile& profile) {
    for (const auto pattern : {lapwing::Pattern::stream, lapwing::Pattern::alltoall}) {
        try {
            const auto plan = lapwing::plan(
                profile,
                {.volume = 1 << 20, .compute = 1e-3, .grain = 8, .pattern = pattern, .ranks = 2});
            require(plan.messages.volume() == 1 << 20, "a plan of another volume");
        } catch (const std::invalid_argument& error) {
            require_one_line(error.what());
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    lapwing::Profile profile;
    try {
        profile = lapwing::profile_from_json(text);
    } catch (const std::runtime_error& error) {
        require_one_line(error.what());
        return 0;
    }
    const std::string written = to_json(profile);
    require(to_json(lapwing::profile_from_json(written)) == written,
            "what is written is not what is read");
    plan_with(profile);
    return 0;
}
