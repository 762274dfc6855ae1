#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/time.hpp"

namespace lapwing::simulate {

/// A machine as it was measured: its costs are the profile's tables, in whole picoseconds. A
/// message takes its sender's processor o_s(S), leaves through the interface of the sender's node
/// when those before it have left, is L(S) on its way, enters through the interface of the
/// receiver's node when those before it have entered, and takes the receiver's processor o_r(S).
/// The interfaces are all that messages contend for; all ranks of a node share one each way.
/// L(S) is what is left of half a round trip, so that a message by itself takes what was measured.
/// Between ranks of one node there is no interface, and the costs are those of the pair of ranks
/// that the profile calls "within a node". Every send is taken to end when it has left its
/// processor: rendezvous shows in L(S), not in waiting for a receive.
class Measured {
  public:
    static constexpr bool interfaces_work_alone = true;
    /// Ticks of this machine's time in a nanosecond.
    static constexpr Time nanosecond = 1000;

    /// `ranks_per_node`: consecutive ranks are on one node. Throws `std::invalid_argument` if there
    /// are several on a node and the profile does not say what messages cost within one.
    Measured(const Profile& profile, Rank ranks_per_node);

    /// What one message costs, ticks.
    struct Cost {
        Time send = 0;     ///< of its sender's processor
        Time wire = 0;     ///< of an interface, at either end
        Time latency = 0;  ///< from leaving one interface until entering the other
        Time receive = 0;  ///< of its receiver's processor
    };
    [[nodiscard]] Cost cost(Rank from, Rank to, std::uint64_t size) const {
        const Place& place = within_node(from, to) ? within_ : between_;
        Known& known = place.known[size * 0x9E3779B97F4A7C15U >> 58U];
        if (known.size != size || !known.filled) known = {size, true, place.evaluate(size)};
        return known.cost;
    }
    [[nodiscard]] bool within_node(Rank from, Rank to) const { return node(from) == node(to); }
    [[nodiscard]] Rank node(Rank rank) const { return rank / ranks_per_node_; }
    [[nodiscard]] static bool rendezvous(Rank, Rank, std::uint64_t) { return false; }

  private:
    struct Known {
        std::uint64_t size = 0;
        bool filled = false;
        Cost cost;
    };
    /// The tables of one pair of ranks, seconds.
    struct Place {
        std::vector<std::uint64_t> overhead_sizes;
        std::vector<double> send;
        std::vector<double> receive;
        std::vector<std::uint64_t> wire_sizes;
        std::vector<double> wire;
        double G = 0;  ///< beyond the tables, seconds per byte
        std::vector<std::uint64_t> latency_sizes;
        std::vector<double> latency;
        /// Sizes asked for lately; schedules have few.
        mutable std::array<Known, 64> known{};

        void set_wire(const std::vector<std::uint64_t>& sizes,
                      const std::vector<double>& bandwidth);
        void set_latency(const std::vector<std::uint64_t>& sizes,
                         const std::vector<double>& half_round_trip, double L);
        [[nodiscard]] double wire_time(double size) const;
        [[nodiscard]] Cost evaluate(std::uint64_t size) const;
    };

    Rank ranks_per_node_;
    Place between_;
    Place within_;
};

}  // namespace lapwing::simulate
