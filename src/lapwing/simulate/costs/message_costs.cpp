#include "lapwing/simulate/costs/message_costs.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lapwing/profile/table.hpp"

namespace lapwing::simulate {

namespace {

/// So many times as steep as either of its neighbours no line is that has a switch in it.
constexpr double steeper = 2;

/// The switches between two sizes, next to neither, by their places.
std::vector<std::size_t> between(const std::vector<std::uint64_t>& switches, std::uint64_t from,
                                 std::uint64_t to) {
    std::vector<std::size_t> within;
    for (std::size_t k = 0; k < switches.size(); ++k)
        if (switches[k] > from && switches[k] + 1 < to) within.push_back(k);
    return within;
}

/// Half a round trip from one entry of its table to the next: what jumps, seconds, and the slope
/// without that, seconds per byte.
struct Rise {
    double jumps = 0;
    double slope = 0;
};

Rise rise(const Timings& half_round_trip, const Protocol& protocol, std::size_t entry) {
    const auto& [sizes, seconds] = half_round_trip;
    Rise rise;
    for (const std::size_t k : between(protocol.switches, sizes[entry], sizes[entry + 1]))
        rise.jumps += protocol.switch_costs[k];
    rise.slope = (seconds[entry + 1] - seconds[entry] - rise.jumps) /
                 static_cast<double>(sizes[entry + 1] - sizes[entry]);
    return rise;
}

}  // namespace

Timings with_switches(const Timings& half_round_trip, const Protocol& protocol) {
    const auto& [sizes, seconds] = half_round_trip;
    Timings table;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        table.sizes.push_back(sizes[i]);
        table.seconds.push_back(seconds[i]);
        if (i + 1 == sizes.size()) break;
        const Rise found = rise(half_round_trip, protocol, i);
        double slope = found.slope;
        if (found.jumps != 0 && i > 0 && i + 2 < sizes.size()) {
            const auto [least, most] = std::minmax({rise(half_round_trip, protocol, i - 1).slope,
                                                    rise(half_round_trip, protocol, i + 1).slope});
            slope =
                std::clamp(slope, std::min(least, least / steeper), std::max(most, steeper * most));
        }
        const double bytes = static_cast<double>(sizes[i + 1] - sizes[i]);
        const double larger =
            found.jumps == 0 ? 1 : 1 + (found.slope - slope) * bytes / found.jumps;
        double before = 0;
        for (const std::size_t k : between(protocol.switches, sizes[i], sizes[i + 1])) {
            const std::uint64_t size = protocol.switches[k];
            if (size <= table.sizes.back()) continue;
            const double jump = larger * protocol.switch_costs[k];
            const double here = seconds[i] + slope * static_cast<double>(size - sizes[i]) + before;
            before += jump;
            table.sizes.insert(table.sizes.end(), {size, size + 1});
            table.seconds.insert(table.seconds.end(), {here, here + jump + slope});
        }
    }
    return table;
}

MessageCosts::MessageCosts(Tables tables)
    : overhead_sizes_(std::move(tables.overhead_sizes)),
      send_(std::move(tables.send)),
      receive_(std::move(tables.receive)),
      G_(tables.loggp.G),
      one_by_one_(tables.on_links && tables.nic == Nic::serialising) {
    if (overhead_sizes_.empty()) {
        overhead_sizes_ = {0};
        send_ = {tables.loggp.o_s};
        receive_ = {tables.loggp.o_r};
    }
    set_overhead_switches(tables.switches);
    set_wire(tables);
    if (!tables.half_round_trip.sizes.empty())
        set_wire_switches(tables.switches, tables.half_round_trip);
    if (one_by_one_) given_ = credit(tables.half_round_trip);
    set_latency(tables.half_round_trip, tables.loggp.L);
}

/// Overheads were not measured at the sizes where something changes either. Up to a switch they go
/// on as before it and behind it as after it, but no further than the other side.
void MessageCosts::set_overhead_switches(const std::vector<std::uint64_t>& switches) {
    const auto sizes = overhead_sizes_;
    const auto send = send_;
    const auto receive = receive_;
    // Seconds at `size`, on the line through `entry` and the next one away from the switch.
    const auto from = [&](const std::vector<double>& seconds, std::size_t entry, std::size_t away,
                          std::size_t across, std::uint64_t size) {
        if (away >= sizes.size()) return seconds[entry];
        const auto bytes = [&](std::uint64_t to) {
            return static_cast<double>(to) - static_cast<double>(sizes[entry]);
        };
        const double slope = (seconds[away] - seconds[entry]) / bytes(sizes[away]);
        const auto [least, most] = std::minmax(seconds[entry], seconds[across]);
        return std::clamp(seconds[entry] + slope * bytes(size), least, most);
    };
    for (std::size_t i = sizes.size(); i-- > 1;) {
        const auto within = between(switches, sizes[i - 1], sizes[i]);
        if (within.empty()) continue;
        const std::uint64_t first = switches[within.front()];
        const std::uint64_t last = switches[within.back()];
        const std::size_t before = i > 1 ? i - 2 : sizes.size();
        const auto insert = [&](std::vector<double>& to, const std::vector<double>& seconds) {
            to.insert(
                to.begin() + static_cast<std::ptrdiff_t>(i),
                {from(seconds, i - 1, before, i, first), from(seconds, i, i + 1, i - 1, last + 1)});
        };
        insert(send_, send);
        insert(receive_, receive);
        overhead_sizes_.insert(overhead_sizes_.begin() + static_cast<std::ptrdiff_t>(i),
                               {first, last + 1});
    }
}

double MessageCosts::processors(double size) const {
    return extrapolate(overhead_sizes_, send_, size) + extrapolate(overhead_sizes_, receive_, size);
}

/// Half a round trip without what processors take.
double MessageCosts::way(const Timings& half_round_trip, double size) const {
    return interpolate(half_round_trip.sizes, half_round_trip.seconds, size) - processors(size);
}

/// Of a flood, only messages that keep the wire longer than the processors tell what the wire
/// takes; smaller ones take their share of the smallest of those, and what goes with every message.
/// Messages that share the wire arrive more or less together, and the flood ends when they have
/// been taken up one after another: how much of that is no time of the wire, half a round trip
/// tells by what it takes longer than the shortest.
void MessageCosts::set_wire(const Tables& tables) {
    const auto& sizes = tables.bandwidth_sizes;
    const auto& bandwidth = tables.bandwidth;
    const auto& half_round_trip = tables.half_round_trip;
    wire_sizes_ = {0};
    wire_ = {0};
    const double slope = G_;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = static_cast<double>(sizes[i]);
        const double taken_up = extrapolate(overhead_sizes_, receive_, size);
        const double processor = std::max(extrapolate(overhead_sizes_, send_, size), taken_up);
        if (sizes[i] == 0 || bandwidth[i] <= 0 || !is_wire_bound(G_, size, processor)) continue;
        double takes = size / bandwidth[i];
        if (tables.nic == Nic::sharing && !half_round_trip.sizes.empty()) {
            const auto shortest = static_cast<double>(half_round_trip.sizes.front());
            const double longer = way(half_round_trip, size) - way(half_round_trip, shortest);
            takes = std::clamp(slope * shortest + longer, takes - taken_up, takes);
        }
        wire_sizes_.push_back(sizes[i]);
        wire_.push_back(takes);
        G_ = takes / size;
    }
    if (wire_.size() < 3) return;
    // What a line through the smallest two begins with: more than that is no envelope.
    constexpr double most = 0.02;
    const double per_byte =
        (wire_[2] - wire_[1]) / static_cast<double>(wire_sizes_[2] - wire_sizes_[1]);
    const double base = wire_[1] - per_byte * static_cast<double>(wire_sizes_[1]);
    if (base > 0 && base <= most * wire_[1]) wire_.front() = base;
}

/// A flood was not measured at the sizes where something changes. On either side of those the wire
/// takes longer by as much as half a round trip does, but where that is given part of the wire.
void MessageCosts::set_wire_switches(const std::vector<std::uint64_t>& switches,
                                     const Timings& half_round_trip) {
    const auto sizes = wire_sizes_;
    const auto seconds = wire_;
    wire_sizes_ = {sizes.front()};
    wire_ = {seconds.front()};
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const auto within = between(switches, sizes[i - 1], sizes[i]);
        const auto from = [&](std::size_t entry, std::uint64_t size) {
            return seconds[entry] + way(half_round_trip, static_cast<double>(size)) -
                   way(half_round_trip, static_cast<double>(sizes[entry]));
        };
        const auto whole = [&](std::size_t entry) {
            return way(half_round_trip, static_cast<double>(sizes[entry])) >= seconds[entry];
        };
        if (!within.empty() && whole(i - 1) && whole(i)) {
            const std::uint64_t first = switches[within.front()];
            const std::uint64_t last = switches[within.back()];
            wire_sizes_.insert(wire_sizes_.end(), {first, last + 1});
            wire_.insert(wire_.end(),
                         {std::max(0.0, from(i - 1, first)), std::max(0.0, from(i, last + 1))});
        }
        wire_sizes_.push_back(sizes[i]);
        wire_.push_back(seconds[i]);
    }
}

double MessageCosts::wire_time(double size) const {
    const auto largest = static_cast<double>(wire_sizes_.back());
    if (size <= largest) return interpolate(wire_sizes_, wire_, size);
    return wire_.back() + (size - largest) * G_;
}

/// The most that a message by itself was faster than its parts, but for what grows with the
/// message: that is its receiver, who takes it up while it arrives. Nothing where it is the tables'
/// own inexactness.
double MessageCosts::credit(const Timings& half_round_trip) const {
    constexpr double inexactness = 0.02;
    std::vector<double> alone;
    std::vector<double> faster;
    for (std::size_t i = 0; i < half_round_trip.sizes.size(); ++i) {
        const auto size = static_cast<double>(half_round_trip.sizes[i]);
        alone.push_back(wire_time(size));
        faster.push_back(processors(size) + alone.back() - half_round_trip.seconds[i]);
    }
    if (faster.empty()) return 0;
    // Of the longer half, by its wire.
    const auto middle = static_cast<std::size_t>(
        std::lower_bound(alone.begin(), alone.end(), alone.back() / 8) - alone.begin());
    const double wires = alone.back() - alone[middle];
    const double share =
        wires > 0 ? std::clamp((faster.back() - faster[middle]) / wires, 0.0, 1.0) : 0;
    double most = 0;
    for (std::size_t i = 0; i < faster.size(); ++i)
        if (faster[i] > inexactness * alone[i])
            most = std::max(most, std::min(faster[i], alone[i]) - share * alone[i]);
    return most;
}

/// At all sizes where one of the parts bends, so that their sum is half a round trip between them.
void MessageCosts::set_latency(const Timings& half_round_trip, double L) {
    if (half_round_trip.sizes.empty()) {
        latency_sizes_ = {0};
        latency_ = {std::max(0.0, L - wire_time(0))};  // L is all that an empty message takes
        return;
    }
    latency_sizes_ = half_round_trip.sizes;
    const auto bend = [&](std::uint64_t size) {
        if (size > half_round_trip.sizes.front() && size < half_round_trip.sizes.back())
            latency_sizes_.push_back(size);
    };
    for (const std::uint64_t size : overhead_sizes_) bend(size);
    for (std::size_t i = 0; i < wire_sizes_.size(); ++i) {
        bend(wire_sizes_[i]);
        // Where what the wire is given ends.
        if (i == 0 || wire_[i - 1] >= given_ || wire_[i] <= given_) continue;
        const double part = (given_ - wire_[i - 1]) / (wire_[i] - wire_[i - 1]);
        const auto bytes = static_cast<double>(wire_sizes_[i] - wire_sizes_[i - 1]);
        const auto end = wire_sizes_[i - 1] + static_cast<std::uint64_t>(part * bytes);
        bend(end);
        bend(end + 1);
    }
    std::sort(latency_sizes_.begin(), latency_sizes_.end());
    const auto repeated = std::unique(latency_sizes_.begin(), latency_sizes_.end());
    latency_sizes_.erase(repeated, latency_sizes_.end());
    for (const std::uint64_t each : latency_sizes_) {
        const auto size = static_cast<double>(each);
        latency_.push_back(way(half_round_trip, size) - std::max(0.0, wire_time(size) - given_));
    }
}

MessageTicks MessageCosts::cost(std::uint64_t size) const {
    const auto bytes = static_cast<double>(size);
    const auto whole = [](double seconds) { return ticks(std::max(0.0, seconds)); };
    const double left = interpolate(latency_sizes_, latency_, bytes);
    MessageTicks cost{.send = whole(extrapolate(overhead_sizes_, send_, bytes)),
                      .latency = whole(left),
                      .wire = whole(wire_time(bytes)),
                      .receive = whole(extrapolate(overhead_sizes_, receive_, bytes))};
    const Time beyond = whole(-left);
    if (one_by_one_)
        cost.overlap =
            std::min({beyond, cost.receive, std::max<Time>(0, cost.wire - whole(given_))});
    cost.head_start = std::min(beyond - cost.overlap, cost.send);
    if (!one_by_one_) cost.early = std::min(beyond - cost.head_start, cost.wire);
    // Nobody takes longer over a message than the whole of it takes: a receiver that came late to
    // it, as overheads are measured, found it in another processor's cache.
    const Time too_long = beyond - cost.overlap - cost.head_start - cost.early;
    cost.receive -= std::min(too_long, cost.receive - cost.overlap);
    return cost;
}

MessageCosts::Tables tables_of(const LinkCosts& link) {
    MessageCosts::Tables tables;
    tables.loggp = link.loggp;
    tables.bandwidth_sizes = link.bandwidth.sizes;
    tables.bandwidth = link.bandwidth.unidirectional;
    tables.nic = link.nic;
    if (!link.overhead.bursts.empty()) {
        tables.overhead_sizes = link.overhead.sizes;
        for (const auto size : link.overhead.sizes)
            tables.send.push_back(send_overhead(link, static_cast<double>(size), 1));
        tables.receive = link.overhead.receive;
    }
    if (link.latency) tables.half_round_trip = {link.latency->sizes, link.latency->half_round_trip};
    if (link.protocol) {
        tables.half_round_trip = with_switches(tables.half_round_trip, *link.protocol);
        tables.switches = link.protocol->switches;
        tables.eager = link.protocol->eager.value_or(tables.eager);
        tables.buffered = link.protocol->buffered.value_or(tables.buffered);
    }
    return tables;
}

MessageCosts::Tables tables_within_node(const PairCosts& pair, Nic nic) {
    MessageCosts::Tables tables;
    tables.loggp = pair.loggp;
    tables.bandwidth_sizes = pair.sizes;
    tables.bandwidth = pair.bandwidth;
    tables.half_round_trip = {pair.sizes, pair.half_round_trip};
    tables.nic = nic;
    tables.on_links = false;
    return tables;
}

}  // namespace lapwing::simulate
