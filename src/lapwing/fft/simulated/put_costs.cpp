#include "lapwing/fft/simulated/put_costs.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <vector>

#include "lapwing/profile/find_operation.hpp"

namespace lapwing::fft {

const OperationCosts* find_put(const Profile& profile, Transport transport) {
    return find_operation(profile, name(transport),
                          transport == Transport::shmem ? "put_nbi" : "put");
}

LinkCosts link_of_puts(const Profile& profile, Transport transport) {
    const OperationCosts* const put = find_put(profile, transport);
    if (put == nullptr)
        throw std::invalid_argument(
            "the profile does not say what puts cost: lapwing calibrate measures it in its part "
            "operations");
    const LinkCosts& link = profile;
    LinkCosts result = link;
    result.overhead = {.sizes = put->sizes,
                       .bursts = {1},
                       .send = {},
                       .receive = std::vector<double>(put->sizes.size())};
    for (const auto& by_burst : put->overhead) result.overhead.send.push_back({by_burst.front()});
    result.loggp.o_s = put->overhead.front().front();
    result.loggp.o_r = 0;
    if (!result.protocol) result.protocol = Protocol{};
    result.protocol->eager = std::nullopt;
    result.protocol->buffered = 0;
    return result;
}

LinearCost put_completion(const Profile& profile, Transport transport) {
    const OperationCosts* const put = find_put(profile, transport);
    if (put == nullptr || put->asymptotic.empty()) return {};
    std::vector<double> seconds;
    for (std::size_t i = 0; i < put->sizes.size(); ++i)
        seconds.push_back(std::max(0.0, put->asymptotic[i] - put->overhead[i].front()));
    return fit_line(put->sizes, seconds, static_cast<double>(put->sizes.back()));
}

}  // namespace lapwing::fft
