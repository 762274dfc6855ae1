#include "lapwing/plan/attendance.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "lapwing/plan/exchanging.hpp"
#include "lapwing/plan/loose.hpp"

namespace lapwing {
namespace {

constexpr std::string_view polls = "messages stall while nobody calls";
constexpr std::string_view polls_little = "it would hide little more";

/// What was seen of ranks that compute. What their messages do not hide is among the costs they go
/// by, see `exchanging` and `receiving`.
Attendance attend_seen(const ExposedTime& seen, double G, double poll_interval) {
    const LeastExposed least = least_exposed(seen, G);
    const auto size = static_cast<double>(seen.sizes[least.at]);
    const int window = seen.window[least.at];
    return {.largest = size,
            .stalled = 0,
            .window = window,
            .in_flight = window * size,
            .poll_interval = least.polled ? poll_interval : 0,
            .reason = least.polled ? polls : polls_little};
}

}  // namespace

double handshake(const std::optional<Protocol>& protocol, std::uint64_t size) {
    if (!protocol || !protocol->eager || size <= *protocol->eager) return 0;
    for (std::size_t k = 0; k < protocol->switches.size(); ++k)
        if (protocol->switches[k] == *protocol->eager)
            return std::max(0.0, protocol->switch_costs[k]);
    return 0;
}

const ExposedTime* seen_computing(const Profile& profile, const Workload& workload, bool two_way) {
    const bool receives = workload.direction == Direction::fetch && !is_loose(workload);
    if (!two_way && !receives) return nullptr;
    return find_exposed_time(profile.progress, two_way ? Traffic::both : Traffic::receive, false,
                             1);
}

Attendance attendance(const Profile& profile, const model::Stream& x, const Workload& workload,
                      bool two_way) {
    constexpr double advancing = 0.98;  // what is nearer to all than this is all
    const Progress& seen = profile.progress;
    if (const ExposedTime* const exposure = seen_computing(profile, workload, two_way))
        return attend_seen(*exposure, profile.loggp.G, seen.poll_interval);
    const auto all_advance = std::all_of(seen.without_polling.begin(), seen.without_polling.end(),
                                         [](double share) { return share >= advancing; });
    Attendance best;
    best.reason = seen.sizes.empty() ? "whether messages advance alone was not measured"
                                     : "messages advance while nobody calls";
    if (all_advance) return best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < seen.sizes.size(); ++i) {
        const auto size = static_cast<double>(seen.sizes[i]);
        // Polling has a price of its own; it must be worth it.
        const bool poll = seen.with_polling[i] > seen.without_polling[i] + 0.1;
        const double hidden = poll ? seen.with_polling[i] : seen.without_polling[i];
        const double stalled = hidden < advancing ? (1 - hidden) * x.G : 0;
        const double overhead = x.o_r(size) + (two_way ? x.o_s(size) : 0);
        const double cost =
            (overhead + handshake(profile.protocol, seen.sizes[i])) / size + stalled;
        if (cost < least) {
            least = cost;
            best = {size,
                    stalled,
                    seen.window[i],
                    seen.window[i] * size,
                    poll ? seen.poll_interval : 0,
                    poll ? polls : polls_little};
        }
    }
    return best;
}

}  // namespace lapwing
