#include "lapwing/plan/exchanging.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "lapwing/plan/loose.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

LeastExposed least_exposed(const ExposedTime& exposure, double G) {
    constexpr double price_of_polls = 0.25;
    // Sizes that differ by less than a measurement does, of what was exposed and of the wire.
    constexpr double alike = 1.05;
    const double resolved = 0.005 * G;
    const auto per_byte = [&](const std::vector<double>& seconds, std::size_t i) {
        return seconds[i] / static_cast<double>(exposure.sizes[i]);
    };
    const auto least = [&](const std::vector<double>& seconds) {
        double found = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < seconds.size(); ++i)
            found = std::min(found, per_byte(seconds, i));
        return found;
    };
    const double alone = least(exposure.exposed);
    const double polled = least(exposure.exposed_polled);
    const bool polling = polled < alone - price_of_polls * G;
    const auto& seconds = polling ? exposure.exposed_polled : exposure.exposed;
    // Where many do, something else than the messages was seen: the middle one loses least.
    std::vector<std::size_t> among;
    for (std::size_t i = 0; i < exposure.sizes.size(); ++i)
        if (per_byte(seconds, i) <= alike * (polling ? polled : alone) + resolved)
            among.push_back(i);
    const std::size_t at = among[among.size() / 2];
    return {at, polling, per_byte(seconds, at)};
}

double exposed_at(const ExposedTime& exposure, const LeastExposed& least, double size) {
    if (size > static_cast<double>(exposure.sizes[least.at])) return least.per_byte * size;
    return interpolate(exposure.sizes, least.polled ? exposure.exposed_polled : exposure.exposed,
                       size);
}

namespace {

/// What `pattern` is without messages larger than `largest` bytes; not without any.
void leave_out_larger(PatternCosts& pattern, std::uint64_t largest) {
    while (pattern.sizes.size() > 1 && pattern.sizes.back() > largest) {
        pattern.sizes.pop_back();
        for (auto* table : {&pattern.slowest, &pattern.fastest, &pattern.fairness})
            for (auto& row : *table) row.pop_back();
    }
}

/// A wire that was seen to take no longer than `G` seconds a byte does so wherever it was measured.
void speed_up(Profile& profile, double G) {
    profile.loggp.G = std::min(profile.loggp.G, G);
    for (double& rate : profile.bandwidth.unidirectional)
        if (rate > 0) rate = std::max(rate, 1 / G);
    for (double& rate : profile.bandwidth.bidirectional)
        if (rate > 0) rate = std::max(rate, 2 / G);
    for (PatternCosts& pattern : profile.patterns)
        for (auto* table : {&pattern.slowest, &pattern.fastest})
            for (auto& row : *table)
                for (double& gap : row) gap = std::min(gap, G);
}

}  // namespace

Profile exchanging(const Profile& profile, const Workload& workload) {
    Profile seen = profile;
    const double computation =
        workload.compute / (static_cast<double>(workload.volume) * profile.loggp.G);
    const bool independent = is_loose(workload);
    const ExposedTime* const nearest = find_exposed_time(
        profile.progress, Traffic::both, independent, independent ? 1 : computation);
    if (nearest == nullptr) return seen;
    const ExposedTime exposure = *nearest;
    const double share =
        exposure.computation;  // of the wire's time was computed in what was measured
    // What plans go by from here on.
    auto& all = seen.progress.exposed_time;
    std::erase_if(all, [](const ExposedTime& each) { return each.traffic == Traffic::both; });
    all.push_back(exposure);
    all.back().independent = false;
    const LeastExposed least = least_exposed(exposure, profile.loggp.G);
    Overhead overhead{.sizes = {}, .bursts = {1}, .send = {}, .receive = {}};
    const auto add = [&](std::uint64_t size, double seconds) {
        const double receive =
            std::min(seconds, receive_overhead(profile, static_cast<double>(size)));
        overhead.sizes.push_back(size);
        overhead.receive.push_back(receive);
        overhead.send.push_back({seconds - receive});
    };
    // What is shorter than was measured is all overhead.
    for (const std::uint64_t size : profile.overhead.sizes) {
        if (size >= exposure.sizes.front()) break;
        const auto bytes = static_cast<double>(size);
        add(size, std::min(send_overhead(profile, bytes, 1) + receive_overhead(profile, bytes),
                           exposure.exposed.front()));
    }
    for (const std::uint64_t size : exposure.sizes)
        add(size, exposed_at(exposure, least, static_cast<double>(size)));
    seen.overhead = std::move(overhead);
    seen.loggp.o_s = seen.overhead.send.front().front();
    seen.loggp.o_r = seen.overhead.receive.front();
    seen.progress.O_s = seen.progress.O_r = seen.progress.O_both = 0;
    for (PatternCosts& pattern : seen.patterns) leave_out_larger(pattern, exposure.sizes[least.at]);
    // With less computation than wire, the wire shows in what was seen: a link that is given pauses
    // may be faster than in a flood.
    const double wire = std::max(profile.loggp.G, two_way_gap(profile));
    speed_up(seen, share * wire + least.per_byte);
    // Handshakes, and what changes from one size to the next, are in what was seen.
    seen.latency.reset();
    seen.protocol.reset();
    if (profile.protocol) seen.protocol.emplace().outstanding = profile.protocol->outstanding;
    return seen;
}

}  // namespace lapwing
