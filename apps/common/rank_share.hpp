#pragma once

namespace lapwing {

/// Something that each rank has, such as seconds: the mean of all ranks, and the most of any.
struct RankShare {
    double mean = 0;
    double most = 0;
};

}  // namespace lapwing
