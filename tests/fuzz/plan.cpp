// A fuzzer of the readers of plans, and of what a tuner learnt: whatever they are given, they read
// what can be written, or say in one line what is wrong.
//
//     build/fuzz/bin/fuzz-plan -max_total_time=600 build/fuzz/found tests/data/profiles

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/io/plan_json.hpp"
#include "lapwing/io/tuner_state_json.hpp"
#include "require.hpp"

namespace {

template <class Read>
void written(Read read) {
    try {
        static_cast<void>(to_json(read()));
    } catch (const std::invalid_argument& error) {
        return require_one_line(error.what());
    } catch (const std::runtime_error& error) {
        return require_one_line(error.what());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    written([&] { return lapwing::plan_from_json(text); });
    written([&] { return lapwing::tuner_state_from_json(text); });
    return 0;
}
