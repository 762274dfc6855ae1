#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/message_costs.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing::simulate {

/// A machine as it was measured: its costs are the profile's tables, in whole picoseconds. A
/// message takes its sender's processor o_s(S), is L(S) on its way, holds the links of the nodes of
/// its sender and its receiver, and those between leaf switches if it goes from one to another, and
/// takes the receiver's processor o_r(S). Links are all that messages contend for; all ranks of a
/// node share one each way. L(S) is what is left of half a round trip, so that a message by itself
/// takes what was measured; where less than nothing is left, processors work while the message is
/// on its way. Between ranks of one node there is no link, and the costs are those of
/// the pair of ranks that the profile calls "within a node".
///
/// Made from a profile, or from tables that were derived from one:
///
///     const LinkCosts link = …;  // what a message costs a rank that computes, say
///     const MeasuredMachine machine({.between_nodes = tables_of(link), .topology = topology}, {});
class MeasuredMachine {
  public:
    /// What a machine is made of.
    struct Tables {
        MessageCosts::Tables between_nodes;
        /// How nodes are connected, and how far apart the two were that were measured. None: all
        /// nodes are at one switch.
        std::optional<lapwing::Topology> topology;
        /// Of two ranks on one node; needed only where there are several.
        std::optional<MessageCosts::Tables> within_node;
        /// What a stride costs; needed only with a stride, and only while the machine is made.
        const Log3P* strided = nullptr;
    };

    /// Ticks of this machine's time in a nanosecond.
    static constexpr Time nanosecond = ticks_in_nanosecond;

    /// What a profile leaves open, or what is to be another way.
    struct Options {
        Rank ranks_per_node = 1;           ///< consecutive ranks are on one node
        std::optional<Topology> topology;  ///< instead of the profile's
        /// Bytes from one element of each message to the next: what that adds by the profile's
        /// log_3P tables the processors at both ends take, half each.
        std::optional<std::uint64_t> stride;
        /// Whether a message takes its receiver's processor as soon as that is free; if not, the
        /// schedule says when, by calculations.
        bool charge_receive_overhead = true;
    };

    /// The tables of a profile that `options` needs. Throws `std::invalid_argument`, saying how to
    /// measure it, if one is missing.
    [[nodiscard]] static Tables tables_from(const Profile& profile, const Options& options);

    /// Throws `std::invalid_argument` if a node has no rank, or if `options` needs a table that is
    /// not there.
    MeasuredMachine(Tables tables, const Options& options);
    /// The machine that was measured. Throws as `tables_from` does.
    MeasuredMachine(const Profile& profile, const Options& options);
    MeasuredMachine(const Profile& profile, Rank ranks_per_node)
        : MeasuredMachine(
              profile, Options{.ranks_per_node = ranks_per_node, .topology = {}, .stride = {}}) {}

    /// What a message of `size` bytes costs.
    [[nodiscard]] MessageTicks cost(Rank from, Rank to, std::uint64_t size) const {
        const Place& place = within_node(from, to) ? within_ : between_;
        Known& known = place.known[size * 0x9E3779B97F4A7C15U >> 58U];
        if (known.size != size || !known.filled) known = {size, true, evaluate(place, size)};
        return known.cost;
    }
    [[nodiscard]] bool within_node(Rank from, Rank to) const { return node(from) == node(to); }
    [[nodiscard]] Rank node(Rank rank) const { return rank / ranks_per_node_; }
    /// Whether a message of `size` bytes starts on its way only when its receive is there.
    [[nodiscard]] bool waits(std::uint64_t size) const { return beyond(size, eager_); }
    /// Whether its send ends only when it is over.
    [[nodiscard]] bool rendezvous(Rank, Rank, std::uint64_t size) const {
        return beyond(size, buffered_);
    }

    /// How its links treat several messages at once, and how the nodes of `ranks` are connected.
    [[nodiscard]] Nic nic() const { return nic_; }
    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] Rank nodes(Rank ranks) const { return ranks == 0 ? 0 : node(ranks - 1) + 1; }
    /// Ticks of the wire that a message is given after a rest: a link that is shaped lets so much
    /// pass at once. By that half a round trip is shorter than what a flood of such messages takes,
    /// however long they are.
    [[nodiscard]] Time credit() const;
    /// Seconds that a message of `size` bytes between two nodes takes by itself, side by side.
    [[nodiscard]] double alone(std::uint64_t size) const;
    /// Ticks by which a message is longer on its way, of two nodes with a leaf switch in common and
    /// of others, than between the two that were measured: one of them is 0.
    [[nodiscard]] Time near() const { return near_; }
    [[nodiscard]] Time far() const { return far_; }
    /// How much of a shared link a message gets beside others, by how far its way is: each keeps as
    /// much under way as any other, so what takes half as long comes twice as often (the share of a
    /// TCP flow is inverse to its round trip: Mathis, Semke, Mahdavi, Ott 1997).
    [[nodiscard]] double weight(bool near) const { return near ? near_weight_ : far_weight_; }

  private:
    /// Where nothing is within a limit, an empty message is not either.
    static bool beyond(std::uint64_t size, std::uint64_t limit) {
        return std::max<std::uint64_t>(size, 1) > limit;
    }
    struct Known {
        std::uint64_t size = 0;
        bool filled = false;
        MessageTicks cost;
    };
    /// Messages between nodes, or within one.
    struct Place {
        MessageCosts costs;
        /// Sizes asked for lately; schedules have few.
        mutable std::array<Known, 64> known{};
    };

    [[nodiscard]] MessageTicks evaluate(const Place& place, std::uint64_t size) const;
    void set_stride(const Log3P& measured, std::uint64_t stride);
    void set_distances(const lapwing::Topology& measured);

    Rank ranks_per_node_;
    bool charge_receive_overhead_;
    Nic nic_;
    Topology topology_;
    Time near_ = 0;
    Time far_ = 0;
    double near_weight_ = 1;
    double far_weight_ = 1;
    std::uint64_t eager_;
    std::uint64_t buffered_;
    Log3P strided_;  ///< its `l_mw`: what a stride adds to a message, as measured
    std::optional<std::uint64_t> stride_;
    Place between_;
    Place within_;
};

}  // namespace lapwing::simulate
