#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace lapwing::nas {

/// When a benchmark communicates.
enum class Schedule {
    blocking,    ///< after its computation
    overlapped,  ///< while it computes
    /// As overlapped, but without the computation that messages hide behind: what nothing can hide,
    /// a lower bound of the time. Its result is wrong.
    chain,
};

inline constexpr std::array<const char*, 3> schedules{"blocking", "overlapped", "chain"};

[[nodiscard]] inline const char* name(Schedule schedule) {
    return schedules[static_cast<std::size_t>(schedule)];
}

/// The value of a setting that is left to the benchmark, which finds it by its problem and its
/// ranks.
inline constexpr std::int64_t fitting = -1;

/// A number that a benchmark lets its user choose, and a plan choose for them.
struct Setting {
    const char* name;  ///< as on the command line
    const char* meaning;
    std::int64_t usual;  ///< or `fitting`
    std::int64_t least;
    std::int64_t most;
};

/// A way to run a benchmark.
struct Options {
    Schedule schedule = Schedule::overlapped;
    std::string transport = "two-sided";
    std::vector<std::int64_t> settings{};  ///< one for each of the benchmark's, in their order
    friend bool operator==(const Options&, const Options&) = default;
};

}  // namespace lapwing::nas
