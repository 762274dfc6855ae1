#include "lapwing/plan/taken.hpp"

#include "lapwing/model/progress_overhead.hpp"

namespace lapwing {

double taken(const Profile& profile, const Workload& workload, const Flow& flow) {
    const Progress& progress = profile.progress;
    const bool sends = workload.direction == Direction::produce;
    const double O = flow.two_way ? progress.O_both : sends ? progress.O_s : progress.O_r;
    return model::progress_overhead(workload.compute, flow.volume, flow.costs.G, O);
}

}  // namespace lapwing
