// A fuzzer of the readers of GOAL files, text and binary: whatever they are given, they read a
// schedule that can be written and read again, and played or refused, or they say in one line what
// is wrong where.
//
//     CXX=clang++ cmake -B build/fuzz -DLAPWING_FUZZ=ON && cmake --build build/fuzz
//     mkdir build/fuzz/found  # the first folder is added to
//     build/fuzz/bin/fuzz-goal -max_total_time=600 build/fuzz/found tests/data/goal

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "require.hpp"

using lapwing::to_goal;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::span<const std::uint8_t> bytes(data, size);
    const bool binary = lapwing::is_binary_goal(bytes);
    lapwing::simulate::Graph graph;
    try {
        graph = binary ? lapwing::goal_from_binary(bytes) : lapwing::goal_from_text(text);
    } catch (const std::runtime_error& error) {
        const std::string_view said = error.what();
        require(binary || said.starts_with("line "), "the complaint does not say where");
        require_one_line(said);
        return 0;
    }
    const std::string written = to_goal(graph);
    const auto again = lapwing::goal_from_text(written);
    require(to_goal(again) == written, "what is written is not what is read");
    try {
        const auto result = simulate(graph, lapwing::simulate::LogGOPS{});
        require(simulate(again, lapwing::simulate::LogGOPS{}).rank_finish == result.rank_finish,
                "what is written goes another way");
    } catch (const lapwing::simulate::Deadlock& error) {
        require_one_line(error.what());
    }
    return 0;
}
