#pragma once

#include "apps/common/rank_share.hpp"
#include "results/time_json.hpp"

namespace lapwing::tools {

/// Seconds of all ranks, as results have them.
[[nodiscard]] inline Json rank_share_json(const RankShare& seconds) {
    return {{"seconds", seconds.mean}, {"most", seconds.most}};
}

}  // namespace lapwing::tools
