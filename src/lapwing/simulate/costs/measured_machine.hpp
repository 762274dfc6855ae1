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

/// A machine with the costs that were measured, in whole picoseconds.
///
/// A message occupies its sender's processor for o_s(S), and needs L(S) to the links. It then holds
/// the links of its sender's and its receiver's node, and those between leaf switches on its way.
/// At last it occupies its receiver's processor for o_r(S). L(S) is the rest of half a round trip,
/// so a message by itself takes the measured time. Where the rest is negative, the processors work
/// while the message is under way. Messages contend for links alone; the ranks of a node share its
/// links, one each way for each interface. Within a node there is no link, and messages cost what
/// those of the profile's pair "within a node" do. A message of a rank to itself is a copy in
/// memory: see `tables_of_copies`.
///
/// It is made from a profile, or from tables that were derived from one:
///
///     const LinkCosts link = …;  // of a rank that computes meanwhile, for example
///     const MeasuredMachine machine({.between_nodes = tables_of(link), .topology = topology}, {});
class MeasuredMachine {
  public:
    /// What a machine is made of.
    struct Tables {
        MessageCosts::Tables between_nodes;
        /// How nodes are connected, with the measured latencies. None: all nodes are at one switch.
        std::optional<lapwing::Topology> topology;
        /// Messages within a node; needed only with several ranks on one.
        std::optional<MessageCosts::Tables> within_node;
        /// Messages of a rank to itself; left out, they take no time.
        MessageCosts::Tables to_itself{};
        /// What a stride costs; needed only with one, and until the machine has been made.
        const Log3P* strided = nullptr;
        /// What a message costs its receiver besides if it was there before its receive was posted:
        /// seconds, and seconds per byte. Of messages that do not wait for their receives.
        double unexpected = 0;
        double unexpected_per_byte = 0;
    };

    /// Ticks of this machine's time in a nanosecond.
    static constexpr Time nanosecond = ticks_in_nanosecond;
    /// Seconds of `ticks`.
    [[nodiscard]] static constexpr double seconds(Time ticks) {
        return static_cast<double>(ticks) / (1e9 * nanosecond);
    }

    /// What the tables leave open, or what replaces them.
    struct Options {
        Rank ranks_per_node = 1;           ///< consecutive ranks, unless they are placed otherwise
        std::optional<Topology> topology;  ///< instead of the profile's
        /// Bytes from one element of each message to the next. What that adds by the log_3P tables
        /// occupies the processors at both ends, half each.
        std::optional<std::uint64_t> stride;
        /// Whether a message occupies its receiver's processor as soon as that is free. If not, the
        /// schedule has calculations that stand for receive overheads
        /// (`Node::is_receive_overhead`).
        bool charge_receive_overhead = true;
        /// Instead of the topology's.
        std::optional<Placement> placement = std::nullopt;
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
        return cost_in(place(from, to, within_node(from, to)), size);
    }
    [[nodiscard]] bool within_node(Rank from, Rank to) const { return node(from) == node(to); }
    [[nodiscard]] Rank node(Rank rank) const { return rank / ranks_per_node_; }
    /// Whether a message of `size` bytes leaves only once its receive is posted.
    [[nodiscard]] bool waits(std::uint64_t size) const { return beyond(size, eager_); }
    /// Whether its send ends only once it has left its links.
    [[nodiscard]] bool rendezvous(Rank, Rank, std::uint64_t size) const {
        return beyond(size, buffered_);
    }

    /// Ticks from then until its sender knows of the arrival: its send ends.
    [[nodiscard]] Time acknowledgement() const { return acknowledgement_; }

    /// How links treat several messages at once.
    [[nodiscard]] Nic nic() const { return nic_; }
    [[nodiscard]] const Topology& topology() const { return topology_; }
    /// The number of nodes that `ranks` are on.
    [[nodiscard]] Rank nodes(Rank ranks) const { return ranks == 0 ? 0 : node(ranks - 1) + 1; }
    /// Ticks of transmission that a link gives away after it was idle: a traffic shaper lets that
    /// much pass at once. Half a round trip is shorter by it than the time of such a message in a
    /// flood, however long the message is.
    [[nodiscard]] Time credit() const;
    /// Seconds that a contiguous message of `size` bytes between two nodes takes by itself.
    [[nodiscard]] double alone(std::uint64_t size) const;
    /// Whether all nodes are equally far from each other.
    [[nodiscard]] bool same_distances() const { return same_distances_; }
    /// Ticks to add to a latency between nodes with so many links between their switches. As many
    /// links as between the two measured nodes add 0.
    [[nodiscard]] Time farther(std::uint32_t hops) const { return distance(hops).latency; }
    /// The most that is added to a latency: between nodes that are as far apart as there are.
    [[nodiscard]] Time farthest() const { return distances_.back().latency; }
    /// The weight of a message on a shared link, by how far it goes. Senders have equally much
    /// under way, so half the latency means twice the share. (The share of a TCP flow is inverse to
    /// its round trip: Mathis, Semke, Mahdavi, Ott 1997.)
    [[nodiscard]] double weight(std::uint32_t hops) const { return distance(hops).weight; }

  protected:
    struct Known {
        std::uint64_t size = 0;
        bool filled = false;
        MessageTicks cost;
    };
    /// Messages between nodes, within one, or of a rank to itself.
    struct Place {
        MessageCosts costs;
        /// Costs by a hash of the size: schedules have few sizes.
        mutable std::array<Known, 64> known{};
    };

    /// Which of them a message is; `within_node`: whether both ranks are on one node.
    [[nodiscard]] const Place& place(Rank from, Rank to, bool within_node) const {
        if (!within_node) return between_;
        return from == to ? itself_ : within_;
    }
    /// What a message of `size` bytes costs there.
    [[nodiscard]] MessageTicks cost_in(const Place& place, std::uint64_t size) const {
        Known& known = place.known[size * 0x9E3779B97F4A7C15U >> 58U];
        if (known.size != size || !known.filled) known = {size, true, evaluate(place, size)};
        return known.cost;
    }

  private:
    /// A limit of 0 excludes empty messages, too.
    static bool beyond(std::uint64_t size, std::uint64_t limit) {
        return std::max<std::uint64_t>(size, 1) > limit;
    }
    /// What a number of links between switches means for a message.
    struct Distance {
        Time latency = 0;   ///< to add to the measured one
        double weight = 1;  ///< on a shared link
    };
    [[nodiscard]] const Distance& distance(std::uint32_t hops) const {
        return distances_[std::min<std::size_t>(hops, distances_.size() - 1)];
    }

    [[nodiscard]] MessageTicks evaluate(const Place& place, std::uint64_t size) const;
    void set_stride(const Log3P& measured, std::uint64_t stride);
    void set_measured_distances(const lapwing::Topology& measured);
    void set_hop(double hop);
    void set_weights();

    Rank ranks_per_node_;
    bool charge_receive_overhead_;
    Nic nic_;
    Topology topology_;
    /// By the links between switches; the last is of so many or more.
    std::vector<Distance> distances_ = std::vector<Distance>(1);
    bool same_distances_ = true;
    std::uint64_t eager_;
    std::uint64_t buffered_;
    Time acknowledgement_;
    double unexpected_;           ///< seconds
    double unexpected_per_byte_;  ///< seconds per byte
    Log3P strided_;  ///< its `l_mw` is what a stride adds to this machine's messages, seconds
    std::optional<std::uint64_t> stride_;
    Place between_;
    Place within_;
    Place itself_;
};

}  // namespace lapwing::simulate
