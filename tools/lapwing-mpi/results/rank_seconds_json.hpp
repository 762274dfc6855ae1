#pragma once

#include "apps/nas/common/rank_seconds.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {

/// Seconds that ranks spend on something, as results have them.
[[nodiscard]] inline Json rank_seconds_json(const nas::RankSeconds& seconds) {
    return {{"seconds", seconds.mean}, {"most", seconds.most}};
}

}  // namespace lapwing::tools
