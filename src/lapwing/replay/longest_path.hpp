#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/replay/path_costs.hpp"
#include "lapwing/simulate/program/call.hpp"

namespace lapwing::replay {

/// A parameter of the network.
enum class Parameter : std::uint8_t {
    latency,   ///< L: nanoseconds more of each message between two ranks
    gap,       ///< G: nanoseconds more for each byte but the first
    overhead,  ///< o: nanoseconds more of each send and of each receive
};

/// What is varied: a parameter, of all messages or of those that one call site sends.
struct Varied {
    Parameter parameter = Parameter::latency;
    std::optional<std::uint32_t> site{};
};

/// A time as a function of a parameter, near one value of it.
struct Line {
    double value = 0;  ///< nanoseconds
    double slope = 0;  ///< nanoseconds for each nanosecond of the parameter: how often it counts
};

/// When the last rank of a program ends, if nothing contends for processors or links. It is the
/// longest path through its calls and messages (see `Walk`), from which LLAMP (Shen et al. 2024)
/// makes a linear program. `more`: nanoseconds by which what is varied is larger than it is on the
/// machine. Where two paths are equally long, the one counts whose slope is larger, or smaller
/// where `steepest` is false: the slope to the right or to the left. Throws `simulate::Deadlock`.
[[nodiscard]] Line longest_path(simulate::CallSource& source, const PathCosts& costs, Varied varied,
                                double more, bool steepest = true);

}  // namespace lapwing::replay
