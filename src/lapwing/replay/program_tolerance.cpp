#include "lapwing/replay/program_tolerance.hpp"

#include <limits>
#include <map>
#include <utility>

#include "lapwing/replay/recorded_calls.hpp"

namespace lapwing::replay {

ProgramTolerance program_tolerance(const record::Recording& recording, const PathCosts& costs,
                                   const Options& options, Varied varied,
                                   const std::vector<double>& shares) {
    constexpr double most = 1e9;                    // a second, which is no network's
    std::map<std::pair<double, bool>, Line> known;  // the same places are asked for again
    const auto line = [&](double more, bool steepest) {
        const auto [place, is_new] = known.try_emplace({more, steepest});
        if (!is_new) return place->second;
        RecordedCalls calls(recording, options);
        return place->second = longest_path(calls, costs, varied, more, steepest);
    };
    ProgramTolerance found;
    for (const double share : shares) {
        const double zone = tolerance(line, share, most);
        found.zones.push_back(zone < most ? zone : std::numeric_limits<double>::infinity());
    }
    found.curve = trace_curve(line, tolerance(line, 1, most));
    return found;
}

}  // namespace lapwing::replay
