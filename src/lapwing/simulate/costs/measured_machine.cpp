#include "lapwing/simulate/costs/measured_machine.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <variant>

#include "lapwing/model/log3p.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/costs/copies.hpp"
#include "lapwing/simulate/links/routes.hpp"

namespace lapwing::simulate {

Time MeasuredMachine::credit() const { return ticks(between_.costs.credit()); }

double MeasuredMachine::alone(std::uint64_t size) const {
    const MessageTicks cost = between_.costs.cost(size);
    const Time wire = std::max<Time>(0, cost.wire - credit());
    const Time whole = cost.send - cost.head_start + cost.latency + wire - cost.overlap -
                       cost.early + cost.receive;
    return 1e-9 * static_cast<double>(whole) / static_cast<double>(ticks_in_nanosecond);
}

MessageTicks MeasuredMachine::evaluate(const Place& place, std::uint64_t size) const {
    MessageTicks cost = place.costs.cost(size);
    if (stride_) {
        const double adds =
            model::log3p(strided_, static_cast<double>(size), static_cast<double>(*stride_)).l_mw;
        const Time half = ticks(std::max(0.0, adds) / 2);
        cost.send += half;
        cost.receive += half;
    }
    if (!charge_receive_overhead_) cost.receive = 0;
    if (!waits(size))
        cost.unexpected = ticks(unexpected_ + unexpected_per_byte_ * static_cast<double>(size));
    return cost;
}

/// Sets latencies under one leaf switch, and from one to another. Whether the two nodes that were
/// measured have one in common, their half round trip of a short message tells.
void MeasuredMachine::set_measured_distances(const lapwing::Topology& measured) {
    constexpr std::uint64_t shortest = 8;
    const Time whole = ticks(alone(shortest));
    const Time apart = ticks(measured.far) - ticks(measured.near);
    const bool were_near = 2 * whole < ticks(measured.far) + ticks(measured.near);
    distances_.assign(2, {});
    (were_near ? distances_[1] : distances_[0]).latency = were_near ? apart : -apart;
}

/// Sets latencies that grow with each link between switches. The two nodes that were measured are
/// taken to be as near as the first two of the machine.
void MeasuredMachine::set_hop(double hop) {
    const Routes routes(Topology(topology_.interconnect()), 2);
    const std::uint32_t nearest = routes.hops(0, 1);
    distances_.assign(routes.most_hops() + 1, {});
    for (std::uint32_t hops = 0; hops < distances_.size(); ++hops)
        distances_[hops].latency = ticks(hop * (double{1} * hops - nearest));
}

void MeasuredMachine::set_weights() {
    same_distances_ = distances_.size() == 1;
    constexpr std::uint64_t shortest = 8;
    const Time measured = between_.costs.cost(shortest).latency;
    for (Distance& distance : distances_) {
        const Time latency = measured + distance.latency;
        if (latency > 0 && measured > 0)
            distance.weight = static_cast<double>(measured) / static_cast<double>(latency);
    }
}

/// Sets what a stride adds to a message: the time of a strided message to a peer beyond this
/// machine's contiguous message. Not of a message to oneself, because packing may overlap
/// transmission; and not beyond the contiguous messages of the same table, because these reuse the
/// same memory, too.
void MeasuredMachine::set_stride(const Log3P& measured, std::uint64_t stride) {
    strided_ = measured;
    stride_ = stride;
    for (std::size_t i = 0; i < strided_.sizes.size(); ++i) {
        const double side_by_side = alone(strided_.sizes[i]);
        for (std::size_t k = 0; k < strided_.strides.size(); ++k)
            strided_.l_mw[i][k] = std::max(0.0, strided_.remote[i][k] - side_by_side);
    }
}

MeasuredMachine::Tables MeasuredMachine::tables_from(const Profile& profile,
                                                     const Options& options) {
    Tables tables{.between_nodes = tables_of(profile),
                  .topology = profile.topology,
                  .within_node = {},
                  .to_itself = tables_of_copies(profile)};
    if (options.stride) tables.strided = &strided_costs(profile);
    const CollectiveCosts costs = profile.collectives.value_or(CollectiveCosts{});
    tables.unexpected = costs.unexpected;
    tables.unexpected_per_byte = costs.unexpected_per_byte;
    if (options.ranks_per_node <= 1) return tables;
    const auto pair =
        std::find_if(profile.pairs.begin(), profile.pairs.end(),
                     [](const PairCosts& each) { return each.name == "within a node"; });
    if (pair == profile.pairs.end())
        throw std::invalid_argument(
            "the profile does not say what messages within a node cost: lapwing calibrate with "
            "--ppn 2 or more measures it");
    tables.within_node =
        tables_within_node(*pair, profile.nic, costs.message_among(options.ranks_per_node));
    return tables;
}

MeasuredMachine::MeasuredMachine(const Profile& profile, const Options& options)
    : MeasuredMachine(tables_from(profile, options), options) {}

MeasuredMachine::MeasuredMachine(Tables tables, const Options& options)
    : ranks_per_node_(options.ranks_per_node),
      charge_receive_overhead_(options.charge_receive_overhead),
      nic_(tables.between_nodes.nic),
      eager_(tables.between_nodes.eager),
      buffered_(tables.between_nodes.buffered),
      acknowledgement_(ticks(tables.between_nodes.acknowledgement)),
      unexpected_(tables.unexpected),
      unexpected_per_byte_(tables.unexpected_per_byte) {
    if (ranks_per_node_ == 0) throw std::invalid_argument("a node must have a rank");
    between_.costs = MessageCosts(std::move(tables.between_nodes));
    if (tables.topology) topology_ = Topology(*tables.topology);
    if (options.topology) topology_ = *options.topology;
    if (options.stride) {
        if (tables.strided == nullptr)
            throw std::invalid_argument("a stride needs a table of what strided messages cost");
        set_stride(*tables.strided, *options.stride);
    }
    if (options.placement) topology_.place(*options.placement);
    if (topology_.interconnect().hop > 0) {
        set_hop(topology_.interconnect().hop);
    } else if (tables.topology && std::holds_alternative<FatTree>(topology_.interconnect().shape)) {
        set_measured_distances(*tables.topology);
    }
    set_weights();
    itself_.costs = MessageCosts(std::move(tables.to_itself));
    if (ranks_per_node_ == 1) return;
    if (!tables.within_node)
        throw std::invalid_argument("several ranks on a node need a table of messages within one");
    within_.costs = MessageCosts(std::move(*tables.within_node));
}

}  // namespace lapwing::simulate
