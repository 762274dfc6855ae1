#include "lapwing/plan/candidates/window_search.hpp"

#include <algorithm>
#include <array>

#include "lapwing/plan/search_options.hpp"

namespace lapwing {

Evaluated at_best_window(const RankRecurrence& rank, const Messages& messages,
                         const CandidateLimits& limits, int least, bool in_bursts) {
    constexpr std::array<int, 10> windows = {1, 2,  3,  4,  6,
                                             8, 12, 16, 32, search_options.max_window};
    const int most = max_window(messages, limits);
    TimedWindow best;
    int last = 0;
    int slower_in_a_row = 0;
    for (const int each : windows) {
        const int window = std::min(std::max(each, least), most);
        if (window == last) continue;
        last = window;
        const double seconds = rank.seconds(messages, window);
        if (seconds < (1 - search_options.least_window_gain) * best.seconds) {
            best = {seconds, window};
            slower_in_a_row = 0;
        } else if (++slower_in_a_row == 2) {
            break;
        }
    }
    return {{.messages = messages, .window = best.window, .burst = in_bursts ? best.window / 2 : 0},
            best.seconds};
}

}  // namespace lapwing
