#include "lapwing/profile/pattern_gap.hpp"

#include <algorithm>
#include <cstddef>

#include "lapwing/profile/table.hpp"

namespace lapwing {

double pattern_gap(const Profile& profile, std::string_view pattern, std::uint64_t ranks,
                   double size, PairRank pair) {
    for (const PatternCosts& table : profile.patterns) {
        if (table.pattern != pattern || table.processes.empty() || table.sizes.empty()) continue;
        std::size_t row = 0;
        while (row + 1 < table.processes.size() &&
               static_cast<std::uint64_t>(table.processes[row]) < ranks)
            ++row;
        const auto& gaps = pair == PairRank::slowest ? table.slowest : table.fastest;
        const double gap = interpolate(table.sizes, gaps[row], size);
        // The slowest sender of a gather waits for all others.
        return pattern == "gather" ? gap / std::max(1, table.processes[row] - 1) : gap;
    }
    return 0;
}

}  // namespace lapwing
