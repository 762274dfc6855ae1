#include "lapwing/plan/costs/progress.hpp"

#include <algorithm>
#include <vector>

#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr std::string_view polls = "messages stall while nobody calls";
constexpr std::string_view polls_little = "it would hide little more";

/// Polling takes processor time, which the profile does not tell: it must hide this share more.
constexpr double least_polling_gain = 0.1;

/// Where exposed times were measured, the share of the transfer.
constexpr double price_of_polling = 0.25;

/// Sizes count as equal if they differ by less than measurements do: relative, of what they expose,
/// and as a share of the wire's time.
constexpr double equal_exposure = 1.05;
constexpr double equal_wire_share = 0.005;

const std::vector<double>& seconds_of(const ExposedTime& exposed, bool polled) {
    return polled ? exposed.exposed_polled : exposed.exposed;
}

/// Seconds that a message of `size` bytes exposes: interpolated up to the optimum, and as much a
/// byte as the optimum beyond it (longer messages are sent as several).
double exposure_at(const ExposedTime& exposed, const ExposureOptimum& optimum, double size) {
    if (size > static_cast<double>(exposed.sizes[optimum.at])) return optimum.per_byte * size;
    return interpolate(exposed.sizes, seconds_of(exposed, optimum.polled), size);
}

}  // namespace

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

ExposureOptimum exposure_optimum(const ExposedTime& exposed, double G) {
    const auto per_byte = [&](bool polled) {
        std::vector<double> each = seconds_of(exposed, polled);
        for (std::size_t i = 0; i < each.size(); ++i)
            each[i] /= static_cast<double>(exposed.sizes[i]);
        return each;
    };
    const auto alone = per_byte(false);
    const auto polled = per_byte(true);
    const bool polling = std::ranges::min(polled) < std::ranges::min(alone) - price_of_polling * G;
    const auto& each = polling ? polled : alone;
    const double most = equal_exposure * std::ranges::min(each) + equal_wire_share * G;
    // Of several that are equal the middle one loses least where the measurement was disturbed.
    std::vector<std::size_t> equal;
    for (std::size_t i = 0; i < each.size(); ++i)
        if (each[i] <= most) equal.push_back(i);
    const std::size_t at = equal[equal.size() / 2];
    return {at, polling, each[at]};
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

const ExposedTime* measured_exposure(const Progress& progress, const Workload& workload,
                                     bool two_way, double G) {
    const bool independent = is_independent(workload);
    if (!two_way && (workload.direction != Direction::fetch || independent)) return nullptr;
    const double computation = workload.compute / (static_cast<double>(workload.volume) * G);
    const ExposedTime* const found = find_exposed_time(
        progress, two_way ? Traffic::both : Traffic::receive, independent, computation);
    return found != nullptr && !found->sizes.empty() ? found : nullptr;
}

LinkCosts exchanging_costs(const LinkCosts& link, const ExposedTime& exposed,
                           const ExposureOptimum& optimum, double fastest_gap) {
    LinkCosts seen = link;
    Overhead& overhead = seen.overhead;
    const auto shorter = std::ranges::lower_bound(link.overhead.sizes, exposed.sizes.front());
    overhead = {{link.overhead.sizes.begin(), shorter}, {1}, {}, {}};
    overhead.sizes.insert(overhead.sizes.end(), exposed.sizes.begin(), exposed.sizes.end());
    for (const std::uint64_t size : overhead.sizes) {
        const auto bytes = static_cast<double>(size);
        const double receive = receive_overhead(link, bytes);
        double seconds = exposure_at(exposed, optimum, bytes);
        // Of shorter messages than were measured their overheads, no more than the shortest.
        if (size < exposed.sizes.front())
            seconds = std::min(seconds, send_overhead(link, bytes, 1) + receive);
        overhead.receive.push_back(std::min(seconds, receive));
        overhead.send.push_back({seconds - overhead.receive.back()});
    }
    seen.loggp.o_s = overhead.send.front().front();
    seen.loggp.o_r = overhead.receive.front();
    seen.loggp.G = std::min(seen.loggp.G, fastest_gap);
    for (double& rate : seen.bandwidth.unidirectional)
        if (rate > 0) rate = std::max(rate, 1 / fastest_gap);
    for (double& rate : seen.bandwidth.bidirectional)
        if (rate > 0) rate = std::max(rate, 2 / fastest_gap);
    seen.latency.reset();
    seen.protocol.reset();
    if (link.protocol) seen.protocol.emplace().outstanding = link.protocol->outstanding;
    return seen;
}

LinkCosts receiving_costs(const LinkCosts& link, const ExposedTime& exposed,
                          const ExposureOptimum& optimum) {
    LinkCosts seen = link;
    Overhead& overhead = seen.overhead;
    for (std::size_t i = 0; i < overhead.sizes.size(); ++i)
        overhead.receive[i] = exposure_at(exposed, optimum, static_cast<double>(overhead.sizes[i]));
    if (!overhead.receive.empty()) seen.loggp.o_r = overhead.receive.front();
    // What protocol switches cost is in the exposed time.
    if (seen.protocol) std::ranges::fill(seen.protocol->switch_costs, 0.0);
    return seen;
}

}  // namespace lapwing
