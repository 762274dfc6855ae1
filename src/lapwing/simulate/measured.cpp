#include "lapwing/simulate/measured.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "lapwing/profile/table.hpp"

namespace lapwing::simulate {

/// Of a flood, only messages that keep the wire longer than the processors tell what the wire
/// takes; smaller ones take their share of the smallest of those.
void Measured::Place::set_wire(const std::vector<std::uint64_t>& sizes,
                               const std::vector<double>& bandwidth) {
    wire_sizes = {0};
    wire = {0};
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = static_cast<double>(sizes[i]);
        const double processor = std::max(interpolate(overhead_sizes, send, size),
                                          interpolate(overhead_sizes, receive, size));
        if (sizes[i] == 0 || bandwidth[i] <= 0 || G * size < 2 * processor) continue;
        wire_sizes.push_back(sizes[i]);
        wire.push_back(size / bandwidth[i]);
        G = 1 / bandwidth[i];
    }
}

double Measured::Place::wire_time(double size) const {
    const auto largest = static_cast<double>(wire_sizes.back());
    if (size <= largest) return interpolate(wire_sizes, wire, size);
    return wire.back() + (size - largest) * G;
}

void Measured::Place::set_latency(const std::vector<std::uint64_t>& sizes,
                                  const std::vector<double>& half_round_trip, double L) {
    latency_sizes = sizes;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const auto size = static_cast<double>(sizes[i]);
        latency.push_back(half_round_trip[i] - interpolate(overhead_sizes, send, size) -
                          wire_time(size) - interpolate(overhead_sizes, receive, size));
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
    return {.send = whole(interpolate(overhead_sizes, send, bytes)),
            .latency = whole(interpolate(latency_sizes, latency, bytes)),
            .wire = whole(wire_time(bytes)),
            .receive = whole(interpolate(overhead_sizes, receive, bytes))};
}

/// The tables are of two nodes that are near each other or not: which, their own half round trip of
/// a short message tells.
void Measured::set_distances(const lapwing::Topology& measured) {
    constexpr std::uint64_t shortest = 8;
    const Cost cost = between_.evaluate(shortest);
    const auto whole = [](double seconds) {
        return static_cast<Time>(std::llround(seconds * 1e9 * nanosecond));
    };
    const Time alone = cost.send + cost.latency + cost.wire + cost.receive;
    const Time apart = whole(measured.far) - whole(measured.near);
    const bool were_near = 2 * alone < whole(measured.far) + whole(measured.near);
    (were_near ? far_ : near_) = were_near ? apart : -apart;
}

Measured::Measured(const Profile& profile, const Options& options)
    : ranks_per_node_(options.ranks_per_node), nic_(profile.nic) {
    if (ranks_per_node_ == 0) throw std::invalid_argument("a node must have a rank");
    const auto set = [](Place& place, const LogGP& loggp, const auto& sizes, const auto& bandwidth,
                        const auto& latency_sizes, const auto& half_round_trip) {
        if (place.overhead_sizes.empty()) {
            place.overhead_sizes = {0};
            place.send = {loggp.o_s};
            place.receive = {loggp.o_r};
        }
        place.G = loggp.G;
        place.set_wire(sizes, bandwidth);
        place.set_latency(latency_sizes, half_round_trip, loggp.L);
    };

    const auto& overhead = profile.overhead;
    if (!overhead.bursts.empty()) {
        between_.overhead_sizes = overhead.sizes;
        for (const auto size : overhead.sizes)
            between_.send.push_back(send_overhead(profile, static_cast<double>(size), 1));
        between_.receive = overhead.receive;
    }
    const Latency none;
    const Latency& latency = profile.latency ? *profile.latency : none;
    set(between_, profile.loggp, profile.bandwidth.sizes, profile.bandwidth.unidirectional,
        latency.sizes, latency.half_round_trip);

    if (profile.topology) {
        topology_ = Topology(*profile.topology);
    }
    if (options.topology) topology_ = *options.topology;
    if (profile.protocol) {
        eager_ = profile.protocol->eager.value_or(eager_);
        buffered_ = profile.protocol->buffered.value_or(buffered_);
    }

    if (profile.topology && !topology_.flat()) set_distances(*profile.topology);
    if (ranks_per_node_ == 1) return;
    const auto pair =
        std::find_if(profile.pairs.begin(), profile.pairs.end(),
                     [](const PairCosts& each) { return each.name == "within a node"; });
    if (pair == profile.pairs.end())
        throw std::invalid_argument(
            "the profile does not say what messages within a node cost: lapwing calibrate with "
            "--ppn 2 or more measures it");
    set(within_, pair->loggp, pair->sizes, pair->bandwidth, pair->sizes, pair->half_round_trip);
}

}  // namespace lapwing::simulate
