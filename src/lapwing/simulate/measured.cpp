#include "lapwing/simulate/measured.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "lapwing/model/log3p.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::simulate {

double Measured::Place::processors(double size) const {
    return extrapolate(overhead_sizes, send, size) + extrapolate(overhead_sizes, receive, size);
}

/// Half a round trip without what processors take.
double Measured::Place::way(const Table& half_round_trip, double size) const {
    return interpolate(half_round_trip.sizes, half_round_trip.seconds, size) - processors(size);
}

/// Of a flood, only messages that keep the wire longer than the processors tell what the wire
/// takes; smaller ones take their share of the smallest of those. Messages that share the wire
/// arrive more or less together, and the flood ends when they have been taken up one after another:
/// how much of that is no time of the wire, half a round trip tells by what it takes longer than
/// the shortest.
void Measured::Place::set_wire(const std::vector<std::uint64_t>& sizes,
                               const std::vector<double>& bandwidth, const Table& half_round_trip,
                               Nic nic) {
    wire_sizes = {0};
    wire = {0};
    const double slope = G;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = static_cast<double>(sizes[i]);
        const double taken_up = extrapolate(overhead_sizes, receive, size);
        const double processor = std::max(extrapolate(overhead_sizes, send, size), taken_up);
        if (sizes[i] == 0 || bandwidth[i] <= 0 || G * size < 2 * processor) continue;
        double takes = size / bandwidth[i];
        if (nic == Nic::sharing && !half_round_trip.sizes.empty()) {
            const auto shortest = static_cast<double>(half_round_trip.sizes.front());
            const double longer = way(half_round_trip, size) - way(half_round_trip, shortest);
            takes = std::clamp(slope * shortest + longer, takes - taken_up, takes);
        }
        wire_sizes.push_back(sizes[i]);
        wire.push_back(takes);
        G = takes / size;
    }
}

/// A flood was not measured at the sizes where something changes. On either side of those the wire
/// takes longer by as much as half a round trip does, but where that is given part of the wire.
void Measured::Place::set_wire_switches(const std::vector<std::uint64_t>& switches,
                                        const Table& half_round_trip) {
    const auto sizes = wire_sizes;
    const auto seconds = wire;
    wire_sizes = {sizes.front()};
    wire = {seconds.front()};
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const auto inside = [&](std::uint64_t size) {
            return size > sizes[i - 1] && size + 1 < sizes[i];
        };
        const auto first = std::find_if(switches.begin(), switches.end(), inside);
        const auto last = std::find_if(switches.rbegin(), switches.rend(), inside);
        const auto from = [&](std::size_t entry, std::uint64_t size) {
            return seconds[entry] + way(half_round_trip, static_cast<double>(size)) -
                   way(half_round_trip, static_cast<double>(sizes[entry]));
        };
        const auto whole = [&](std::size_t entry) {
            return way(half_round_trip, static_cast<double>(sizes[entry])) >= seconds[entry];
        };
        if (first != switches.end() && whole(i - 1) && whole(i)) {
            wire_sizes.insert(wire_sizes.end(), {*first, *last + 1});
            wire.insert(wire.end(),
                        {std::max(0.0, from(i - 1, *first)), std::max(0.0, from(i, *last + 1))});
        }
        wire_sizes.push_back(sizes[i]);
        wire.push_back(seconds[i]);
    }
}

double Measured::Place::wire_time(double size) const {
    const auto largest = static_cast<double>(wire_sizes.back());
    if (size <= largest) return interpolate(wire_sizes, wire, size);
    return wire.back() + (size - largest) * G;
}

/// A straight line between two sizes hides what jumps in between: where a jump is known, its two
/// sides are two more entries, on lines of the slope that is left without it.
Measured::Table Measured::with_switches(const Table& half_round_trip, const Protocol& protocol) {
    const auto& [sizes, seconds] = half_round_trip;
    Table table;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        table.sizes.push_back(sizes[i]);
        table.seconds.push_back(seconds[i]);
        if (i + 1 == sizes.size()) break;
        std::vector<std::size_t> within;
        double jumps = 0;
        for (std::size_t k = 0; k < protocol.switches.size(); ++k) {
            const std::uint64_t size = protocol.switches[k];
            if (size <= sizes[i] || size + 1 >= sizes[i + 1]) continue;
            within.push_back(k);
            jumps += protocol.jumps[k];
        }
        const double slope =
            (seconds[i + 1] - seconds[i] - jumps) / static_cast<double>(sizes[i + 1] - sizes[i]);
        double before = 0;
        for (const std::size_t k : within) {
            const std::uint64_t size = protocol.switches[k];
            if (size <= table.sizes.back()) continue;
            const double here = seconds[i] + slope * static_cast<double>(size - sizes[i]) + before;
            before += protocol.jumps[k];
            table.sizes.insert(table.sizes.end(), {size, size + 1});
            table.seconds.insert(table.seconds.end(), {here, here + protocol.jumps[k] + slope});
        }
    }
    return table;
}

/// The most that a message by itself was faster than its parts, but for what grows with the
/// message: that is its receiver, who takes it up while it arrives. Nothing where it is the tables'
/// own inexactness.
double Measured::Place::credit(const Table& half_round_trip) const {
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

void Measured::Place::set_latency(const Table& half_round_trip, double L) {
    latency_sizes = half_round_trip.sizes;
    for (std::size_t i = 0; i < latency_sizes.size(); ++i) {
        const auto size = static_cast<double>(latency_sizes[i]);
        latency.push_back(half_round_trip.seconds[i] - processors(size) -
                          std::max(0.0, wire_time(size) - given));
    }
    if (!latency.empty()) return;
    latency_sizes = {0};
    latency = {L};
}

Measured::Cost Measured::Place::evaluate(std::uint64_t size) const {
    const auto bytes = static_cast<double>(size);
    const auto whole = [](double seconds) {
        return static_cast<Time>(std::llround(std::max(0.0, seconds) * 1e9 * nanosecond));
    };
    const double left = interpolate(latency_sizes, latency, bytes);
    Cost cost{.send = whole(extrapolate(overhead_sizes, send, bytes)),
              .latency = whole(left),
              .wire = whole(wire_time(bytes)),
              .receive = whole(extrapolate(overhead_sizes, receive, bytes))};
    const Time beyond = whole(-left);
    if (one_by_one)
        cost.overlap =
            std::min({beyond, cost.receive, std::max<Time>(0, cost.wire - whole(given))});
    cost.head_start = std::min(beyond - cost.overlap, cost.send);
    return cost;
}

Measured::Cost Measured::evaluate(const Place& place, std::uint64_t size) const {
    Cost cost = place.evaluate(size);
    if (stride_) {
        const double adds =
            model::log3p(strided_, static_cast<double>(size), static_cast<double>(*stride_)).l_mw;
        const auto half =
            static_cast<Time>(std::llround(std::max(0.0, adds) / 2 * 1e9 * nanosecond));
        cost.send += half;
        cost.receive += half;
    }
    if (!takes_up_) cost.receive = 0;
    return cost;
}

/// The tables are of two nodes that are near each other or not: which, their own half round trip of
/// a short message tells.
void Measured::set_distances(const lapwing::Topology& measured) {
    constexpr std::uint64_t shortest = 8;
    const Cost cost = between_.evaluate(shortest);
    const auto whole = [](double seconds) {
        return static_cast<Time>(std::llround(seconds * 1e9 * nanosecond));
    };
    const Time alone =
        cost.send - cost.head_start + cost.latency + cost.wire - cost.overlap + cost.receive;
    const Time apart = whole(measured.far) - whole(measured.near);
    const bool were_near = 2 * alone < whole(measured.far) + whole(measured.near);
    (were_near ? far_ : near_) = were_near ? apart : -apart;
    const auto weight = [&](Time farther) {
        const Time way = cost.latency + farther;
        return way > 0 && cost.latency > 0
                   ? static_cast<double>(cost.latency) / static_cast<double>(way)
                   : 1;
    };
    near_weight_ = weight(near_);
    far_weight_ = weight(far_);
}

/// What a stride adds is taken from messages to a peer: packing may overlap transmission, which a
/// message to oneself does not show.
void Measured::set_stride(const Profile& profile, std::uint64_t stride) {
    strided_ = strided_costs(profile);
    stride_ = stride;
    for (std::size_t i = 0; i < strided_.sizes.size(); ++i)
        for (std::size_t k = 0; k < strided_.strides.size(); ++k)
            strided_.l_mw[i][k] =
                std::max(0.0, strided_.remote[i][k] - strided_.o_mw[i] - strided_.o_net[i]);
}

Measured::Measured(const Profile& profile, const Options& options)
    : ranks_per_node_(options.ranks_per_node), takes_up_(options.takes_up), nic_(profile.nic) {
    if (ranks_per_node_ == 0) throw std::invalid_argument("a node must have a rank");
    const auto set = [&](Place& place, const LogGP& loggp, const auto& sizes, const auto& bandwidth,
                         const Table& half_round_trip) {
        if (place.overhead_sizes.empty()) {
            place.overhead_sizes = {0};
            place.send = {loggp.o_s};
            place.receive = {loggp.o_r};
        }
        place.G = loggp.G;
        place.set_wire(sizes, bandwidth, half_round_trip, nic_);
        if (&place == &between_ && profile.protocol && !half_round_trip.sizes.empty())
            place.set_wire_switches(profile.protocol->switches, half_round_trip);
        place.one_by_one = &place == &between_ && nic_ == Nic::serialising;
        if (place.one_by_one) place.given = place.credit(half_round_trip);
        place.set_latency(half_round_trip, loggp.L);
    };

    const auto& overhead = profile.overhead;
    if (!overhead.bursts.empty()) {
        between_.overhead_sizes = overhead.sizes;
        for (const auto size : overhead.sizes)
            between_.send.push_back(send_overhead(profile, static_cast<double>(size), 1));
        between_.receive = overhead.receive;
    }
    Table trips;
    if (profile.latency) trips = {profile.latency->sizes, profile.latency->half_round_trip};
    if (profile.protocol) trips = with_switches(trips, *profile.protocol);
    set(between_, profile.loggp, profile.bandwidth.sizes, profile.bandwidth.unidirectional, trips);
    credit_ = static_cast<Time>(std::llround(between_.given * 1e9 * nanosecond));

    if (profile.topology) {
        topology_ = Topology(*profile.topology);
    }
    if (options.topology) topology_ = *options.topology;
    if (profile.protocol) {
        eager_ = profile.protocol->eager.value_or(eager_);
        buffered_ = profile.protocol->buffered.value_or(buffered_);
    }

    if (options.stride) set_stride(profile, *options.stride);
    if (profile.topology && !topology_.flat()) set_distances(*profile.topology);
    if (ranks_per_node_ == 1) return;
    const auto pair =
        std::find_if(profile.pairs.begin(), profile.pairs.end(),
                     [](const PairCosts& each) { return each.name == "within a node"; });
    if (pair == profile.pairs.end())
        throw std::invalid_argument(
            "the profile does not say what messages within a node cost: lapwing calibrate with "
            "--ppn 2 or more measures it");
    set(within_, pair->loggp, pair->sizes, pair->bandwidth, {pair->sizes, pair->half_round_trip});
}

}  // namespace lapwing::simulate
