#include "lapwing/plan/receiving.hpp"

#include <algorithm>
#include <cstddef>

#include "lapwing/plan/exchanging.hpp"

namespace lapwing {

Profile receiving(const Profile& profile) {
    Profile seen = profile;
    const ExposedTime& exposure = *find_exposed_time(profile.progress, Traffic::receive, false, 1);
    const LeastExposed least = least_exposed(exposure, profile.loggp.G);
    auto& overhead = seen.overhead;
    for (std::size_t i = 0; i < overhead.sizes.size(); ++i)
        overhead.receive[i] = exposed_at(exposure, least, static_cast<double>(overhead.sizes[i]));
    if (!overhead.receive.empty()) seen.loggp.o_r = overhead.receive.front();
    if (seen.protocol)
        std::fill(seen.protocol->switch_costs.begin(), seen.protocol->switch_costs.end(), 0.0);
    return seen;
}

}  // namespace lapwing
