// A fuzzer of the readers of what the simulator's options hold, a machine's parameters and sizes:
// whatever they are given, they read it, or say what is wrong.
//
//     build/fuzz/bin/fuzz-parameters -max_total_time=600 build/fuzz/found

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "lapwing-simulate/bytes.hpp"
#include "lapwing/simulate/costs/loggops_text.hpp"
#include "require.hpp"

namespace {

template <class Read>
void read(Read&& what) {
    try {
        static_cast<void>(what());
    } catch (const std::invalid_argument& error) {
        // The program folds it to one line.
        require(*error.what() != '\0', "the complaint is empty");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    read([&] { return lapwing::simulate::loggops_from_text(text); });
    read([&] { return lapwing::tools::bytes(text); });
    return 0;
}
