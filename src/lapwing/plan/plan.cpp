#include "lapwing/plan/plan.hpp"

#include <cmath>
#include <stdexcept>

#include "lapwing/plan/paper.hpp"
#include "lapwing/plan/stream.hpp"

namespace lapwing {
namespace {

void validate(const Workload& workload) {
    // Above this a size in bytes is no longer exact as a double, nor is any machine that large.
    constexpr std::uint64_t most = std::uint64_t{1} << 53;
    if (workload.volume == 0) throw std::invalid_argument("volume must be above 0 bytes");
    if (workload.volume > most) throw std::invalid_argument("volume must be at most 2^53 bytes");
    if (workload.grain == 0) throw std::invalid_argument("grain must be above 0 bytes");
    if (!std::isfinite(workload.compute) || workload.compute < 0)
        throw std::invalid_argument("compute must be a finite number of seconds, 0 or more");
}

}  // namespace

Plan plan(const Profile& profile, const Workload& workload, Method method) {
    validate(profile);
    validate(workload);
    return method == Method::paper ? plan_paper(profile, workload) : plan_stream(profile, workload);
}

}  // namespace lapwing
