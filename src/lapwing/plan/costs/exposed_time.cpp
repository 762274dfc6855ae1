#include "lapwing/plan/costs/exposed_time.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// The share of the transfer that polling must save.
constexpr double price_of_polling = 0.25;

/// Sizes count as equal if they differ by less than measurements do: relative, of what they expose,
/// and as a share of the wire's time.
constexpr double equal_exposure = 1.05;
constexpr double equal_wire_share = 0.005;

/// Limits the wire of every table to `gap` seconds per byte.
void limit_gap(LinkCosts& link, double gap) {
    link.loggp.G = std::min(link.loggp.G, gap);
    for (double& rate : link.bandwidth.unidirectional)
        if (rate > 0) rate = std::max(rate, 1 / gap);
    for (double& rate : link.bandwidth.bidirectional)
        if (rate > 0) rate = std::max(rate, 2 / gap);
}

}  // namespace

ExposureOptimum exposure_optimum(const ExposedTime& exposed, double G) {
    const auto per_byte = [&](const std::vector<double>& seconds, std::size_t i) {
        return seconds[i] / static_cast<double>(exposed.sizes[i]);
    };
    const auto least = [&](const std::vector<double>& seconds) {
        double found = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < seconds.size(); ++i)
            found = std::min(found, per_byte(seconds, i));
        return found;
    };
    const double alone = least(exposed.exposed);
    const double polled = least(exposed.exposed_polled);
    const bool polling = polled < alone - price_of_polling * G;
    const auto& seconds = polling ? exposed.exposed_polled : exposed.exposed;
    const double most = equal_exposure * (polling ? polled : alone) + equal_wire_share * G;
    // Of several that are equal the middle one loses least where the measurement was disturbed.
    std::vector<std::size_t> equal;
    for (std::size_t i = 0; i < exposed.sizes.size(); ++i)
        if (per_byte(seconds, i) <= most) equal.push_back(i);
    const std::size_t at = equal[equal.size() / 2];
    return {at, polling, per_byte(seconds, at)};
}

double exposure_at(const ExposedTime& exposed, const ExposureOptimum& optimum, double size) {
    if (size > static_cast<double>(exposed.sizes[optimum.at])) return optimum.per_byte * size;
    return interpolate(exposed.sizes, optimum.polled ? exposed.exposed_polled : exposed.exposed,
                       size);
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
    Overhead overhead{.sizes = {}, .bursts = {1}, .send = {}, .receive = {}};
    const auto add = [&](std::uint64_t size, double seconds) {
        const double receive = std::min(seconds, receive_overhead(link, static_cast<double>(size)));
        overhead.sizes.push_back(size);
        overhead.receive.push_back(receive);
        overhead.send.push_back({seconds - receive});
    };
    // Shorter messages than were measured: their overheads, no more than the shortest exposed.
    for (const std::uint64_t size : link.overhead.sizes) {
        if (size >= exposed.sizes.front()) break;
        const auto bytes = static_cast<double>(size);
        const auto& seconds = optimum.polled ? exposed.exposed_polled : exposed.exposed;
        add(size, std::min(send_overhead(link, bytes, 1) + receive_overhead(link, bytes),
                           seconds.front()));
    }
    for (const std::uint64_t size : exposed.sizes)
        add(size, exposure_at(exposed, optimum, static_cast<double>(size)));
    seen.overhead = std::move(overhead);
    seen.loggp.o_s = seen.overhead.send.front().front();
    seen.loggp.o_r = seen.overhead.receive.front();
    limit_gap(seen, fastest_gap);
    seen.latency.reset();
    seen.protocol.reset();
    if (link.protocol) seen.protocol.emplace().outstanding = link.protocol->outstanding;
    return seen;
}

LinkCosts receiving_costs(const LinkCosts& link, const ExposedTime& exposed,
                          const ExposureOptimum& optimum) {
    LinkCosts seen = link;
    auto& overhead = seen.overhead;
    for (std::size_t i = 0; i < overhead.sizes.size(); ++i)
        overhead.receive[i] = exposure_at(exposed, optimum, static_cast<double>(overhead.sizes[i]));
    if (!overhead.receive.empty()) seen.loggp.o_r = overhead.receive.front();
    if (seen.protocol)
        std::fill(seen.protocol->switch_costs.begin(), seen.protocol->switch_costs.end(), 0.0);
    return seen;
}

}  // namespace lapwing
