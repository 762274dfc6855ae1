#include "lapwing/simulate/costs/message_costs.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/costs/protocol_switches.hpp"

namespace lapwing::simulate {

MessageCosts::MessageCosts(Tables tables)
    : overhead_sizes_(std::move(tables.overhead_sizes)),
      send_(std::move(tables.send)),
      receive_(std::move(tables.receive)),
      G_(tables.loggp.G),
      serialising_(tables.on_links && tables.nic == Nic::serialising) {
    if (overhead_sizes_.empty()) {
        overhead_sizes_ = {0};
        send_ = {tables.loggp.o_s};
        receive_ = {tables.loggp.o_r};
    }
    add_overhead_switches(tables.switches);
    set_wire(tables);
    if (!tables.half_round_trip.sizes.empty())
        add_wire_switches(tables.switches, tables.half_round_trip);
    if (serialising_) credit_ = estimate_credit(tables.half_round_trip);
    set_latency(tables.half_round_trip, tables.loggp.L);
}

/// Adds the two sides of each protocol switch to the overheads, which were measured at other sizes.
/// Each side is on the line through the two entries on that side, but not beyond the nearest entry
/// of the other side.
void MessageCosts::add_overhead_switches(const std::vector<std::uint64_t>& switches) {
    const auto sizes = overhead_sizes_;
    const auto send = send_;
    const auto receive = receive_;
    // Seconds at `size`, on the line through `entry` and `away`, the next one further from the
    // switch; `across` is the nearest entry of the other side.
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
        const auto within = switches_between(switches, sizes[i - 1], sizes[i]);
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

/// Both processors' seconds.
double MessageCosts::overheads(double size) const {
    return extrapolate(overhead_sizes_, send_, size) + extrapolate(overhead_sizes_, receive_, size);
}

/// Half a round trip without the processors' overheads, seconds.
double MessageCosts::transit(const Timings& half_round_trip, double size) const {
    return interpolate(half_round_trip.sizes, half_round_trip.seconds, size) - overheads(size);
}

/// Sets the time on the wire from the bandwidth of a flood. Only messages that occupy the wire
/// longer than the processors show it; smaller ones get their share of the smallest of those, and
/// what every message carries with it.
///
/// Where messages share the wire they arrive more or less together, and the flood ends when the
/// last of them has been received: its time includes receive overheads. How much of it is the wire,
/// half a round trip shows by what it takes longer than that of the shortest message.
void MessageCosts::set_wire(const Tables& tables) {
    const auto& sizes = tables.bandwidth_sizes;
    const auto& bandwidth = tables.bandwidth;
    const auto& half_round_trip = tables.half_round_trip;
    wire_sizes_ = {0};
    wire_ = {0};
    const double slope = G_;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = static_cast<double>(sizes[i]);
        const double receive = extrapolate(overhead_sizes_, receive_, size);
        const double processor = std::max(extrapolate(overhead_sizes_, send_, size), receive);
        if (sizes[i] == 0 || bandwidth[i] <= 0 || !is_wire_bound(G_, size, processor)) continue;
        double takes = size / bandwidth[i];
        if (tables.nic == Nic::sharing && !half_round_trip.sizes.empty()) {
            const auto shortest = static_cast<double>(half_round_trip.sizes.front());
            const double longer =
                transit(half_round_trip, size) - transit(half_round_trip, shortest);
            takes = std::clamp(slope * shortest + longer, takes - receive, takes);
        }
        wire_sizes_.push_back(sizes[i]);
        wire_.push_back(takes);
        G_ = takes / size;
    }
    if (wire_.size() < 3) return;
    // What every message carries with it: where a line through the smallest two begins. More than
    // this share of the smallest is no envelope but a bend.
    constexpr double most = 0.02;
    const double per_byte =
        (wire_[2] - wire_[1]) / static_cast<double>(wire_sizes_[2] - wire_sizes_[1]);
    const double base = wire_[1] - per_byte * static_cast<double>(wire_sizes_[1]);
    if (base > 0 && base <= most * wire_[1]) wire_.front() = base;
}

/// Adds the two sides of each protocol switch to the time on the wire, which was measured at other
/// sizes: it grows there as half a round trip does. Not where half a round trip is shorter than
/// the wire, which it then does not show.
void MessageCosts::add_wire_switches(const std::vector<std::uint64_t>& switches,
                                     const Timings& half_round_trip) {
    const auto sizes = wire_sizes_;
    const auto seconds = wire_;
    wire_sizes_ = {sizes.front()};
    wire_ = {seconds.front()};
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const auto within = switches_between(switches, sizes[i - 1], sizes[i]);
        const auto from = [&](std::size_t entry, std::uint64_t size) {
            return seconds[entry] + transit(half_round_trip, static_cast<double>(size)) -
                   transit(half_round_trip, static_cast<double>(sizes[entry]));
        };
        const auto shows_wire = [&](std::size_t entry) {
            return transit(half_round_trip, static_cast<double>(sizes[entry])) >= seconds[entry];
        };
        if (!within.empty() && shows_wire(i - 1) && shows_wire(i)) {
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

/// Seconds of transmission that a link gives away after it was idle: the most by which a message by
/// itself was faster than the sum of its parts. What of that grows with the message is no credit,
/// but a receiver that processes the message while it arrives; what is within the tables' own error
/// is nothing.
double MessageCosts::estimate_credit(const Timings& half_round_trip) const {
    constexpr double inexactness = 0.02;
    std::vector<double> alone;
    std::vector<double> faster;
    for (std::size_t i = 0; i < half_round_trip.sizes.size(); ++i) {
        const auto size = static_cast<double>(half_round_trip.sizes[i]);
        alone.push_back(wire_time(size));
        faster.push_back(overheads(size) + alone.back() - half_round_trip.seconds[i]);
    }
    if (faster.empty()) return 0;
    // What of it grows with the message, as a share of the time on the wire: by the messages that
    // are there for at least an eighth of the longest.
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

/// Sets the latency: what is left of half a round trip. It has an entry at each size at which one
/// of its parts bends, so that the sum of all parts is half a round trip between entries, too.
void MessageCosts::set_latency(const Timings& half_round_trip, double L) {
    if (half_round_trip.sizes.empty()) {
        latency_sizes_ = {0};
        latency_ = {std::max(0.0, L - wire_time(0))};  // L is the latency of an empty message
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
        // Where the credit ends.
        if (i == 0 || wire_[i - 1] >= credit_ || wire_[i] <= credit_) continue;
        const double part = (credit_ - wire_[i - 1]) / (wire_[i] - wire_[i - 1]);
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
        latency_.push_back(transit(half_round_trip, size) -
                           std::max(0.0, wire_time(size) - credit_));
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
    if (serialising_)
        cost.overlap =
            std::min({beyond, cost.receive, std::max<Time>(0, cost.wire - whole(credit_))});
    cost.head_start = std::min(beyond - cost.overlap, cost.send);
    if (!serialising_) cost.early = std::min(beyond - cost.head_start, cost.wire);
    // No overhead exceeds the time of the whole message. Where it was measured to, the receiver
    // came late, as it does when overheads are measured, and found the data in another cache.
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
    tables.acknowledgement = link.one_sided.acknowledgement;
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

/// Lets each byte of a message take at least `per_byte` seconds.
static void slow_down(MessageCosts::Tables& tables, double per_byte) {
    tables.loggp.G = std::max(tables.loggp.G, per_byte);
    for (double& rate : tables.bandwidth) rate = std::min(rate, 1 / per_byte);
    auto& [sizes, seconds] = tables.half_round_trip;
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const auto further = static_cast<double>(sizes[i] - sizes[0]);
        seconds[i] = std::max(seconds[i], seconds[0] + further * per_byte);
    }
}

MessageCosts::Tables tables_within_node(const PairCosts& pair, Nic nic, double per_byte) {
    MessageCosts::Tables tables;
    tables.loggp = pair.loggp;
    tables.bandwidth_sizes = pair.sizes;
    tables.bandwidth = pair.bandwidth;
    tables.half_round_trip = {pair.sizes, pair.half_round_trip};
    tables.nic = nic;
    tables.on_links = false;
    if (per_byte > 0) slow_down(tables, per_byte);
    return tables;
}

}  // namespace lapwing::simulate
