#pragma once

namespace lapwing::nas {

/// Seconds that ranks spend on something: the mean of all ranks, and the most of any.
struct RankSeconds {
    double mean = 0;
    double most = 0;
};

}  // namespace lapwing::nas
