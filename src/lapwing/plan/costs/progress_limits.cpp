#include "lapwing/plan/costs/progress_limits.hpp"

#include <algorithm>
#include <cstddef>

namespace lapwing {
namespace {

constexpr std::string_view polls = "messages stall while nobody calls";
constexpr std::string_view polls_little = "it would hide little more";

/// Polling takes processor time, which the profile does not tell: it must hide this share more.
constexpr double least_polling_gain = 0.1;

}  // namespace

bool advances_alone(const Progress& progress) {
    return std::all_of(progress.without_polling.begin(), progress.without_polling.end(),
                       [](double share) { return share >= all_hidden; });
}

double rendezvous_cost(const std::optional<Protocol>& protocol, std::uint64_t size) {
    if (!protocol || !protocol->eager || size <= *protocol->eager) return 0;
    for (std::size_t k = 0; k < protocol->switches.size(); ++k)
        if (protocol->switches[k] == *protocol->eager)
            return std::max(0.0, protocol->switch_costs[k]);
    return 0;
}

ProgressLimits progress_limits(const Progress& progress, const std::optional<Protocol>& protocol,
                               const model::Stream& line, bool two_way) {
    ProgressLimits best;
    best.reason = progress.sizes.empty() ? "whether messages advance alone was not measured"
                                         : "messages advance while nobody calls";
    if (advances_alone(progress)) return best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < progress.sizes.size(); ++i) {
        const auto size = static_cast<double>(progress.sizes[i]);
        const double alone = progress.without_polling[i];
        const bool poll = progress.with_polling[i] > alone + least_polling_gain;
        const double hidden = poll ? progress.with_polling[i] : alone;
        const double unhidden = hidden < all_hidden ? (1 - hidden) * line.G : 0;
        const double overhead = line.o_r(size) + (two_way ? line.o_s(size) : 0);
        const double per_byte =
            (overhead + rendezvous_cost(protocol, progress.sizes[i])) / size + unhidden;
        if (per_byte >= least) continue;
        least = per_byte;
        best = {.largest = size,
                .unhidden_per_byte = unhidden,
                .window = progress.window[i],
                .in_flight = progress.window[i] * size,
                .poll_interval = poll ? progress.poll_interval : 0,
                .reason = poll ? polls : polls_little};
    }
    return best;
}

ProgressLimits progress_limits(const ExposedTime& exposed, const ExposureOptimum& optimum,
                               double poll_interval) {
    const auto size = static_cast<double>(exposed.sizes[optimum.at]);
    const int window = exposed.window[optimum.at];
    return {.largest = size,
            .unhidden_per_byte = 0,  // is in the exposed time
            .window = window,
            .in_flight = window * size,
            .poll_interval = optimum.polled ? poll_interval : 0,
            .reason = optimum.polled ? polls : polls_little};
}

}  // namespace lapwing
