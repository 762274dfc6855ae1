#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "lapwing/profile/link_costs.hpp"
#include "lapwing/profile/pair_costs.hpp"
#include "lapwing/simulate/costs/timings.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Ticks of a measured machine's time in a nanosecond.
inline constexpr Time ticks_in_nanosecond = 1000;

/// Throws `std::invalid_argument` where simulated time could not hold it.
[[nodiscard]] inline Time ticks(double seconds) {
    const double ticks = seconds * 1e9 * ticks_in_nanosecond;
    if (!(ticks <= static_cast<double>(longest_part))) too_long();
    return static_cast<Time>(std::llround(ticks));
}

/// What one message costs, ticks.
struct MessageTicks {
    Time send = 0;     ///< of its sender's processor
    Time latency = 0;  ///< until its first byte is at the links
    Time wire = 0;     ///< of the links on its way, without credit
    Time receive = 0;  ///< of its receiver's processor
    /// The sender's processor is busy for so long after the message has left it.
    Time head_start = 0;
    /// The receiver's processor begins so long before the last byte is there.
    Time overlap = 0;
    /// Alone, the message is there and its send over so long before its links are free: a flood
    /// takes longer for each than one takes by itself, as where it finds the caches full.
    Time early = 0;
};

/// Half a round trip with the jumps of a protocol between two sizes. A straight line hides them:
/// the two sides of each are two more entries, on lines of the slope that is left without it. That
/// is none twice as steep as both neighbouring lines, nor half as steep: what is left over jumps
/// too, for where a protocol switches is known better than by how much.
Timings with_switches(const Timings& half_round_trip, const Protocol& protocol);

/// What messages between two ranks cost by their size, as tables of both say. A message by itself
/// takes half a round trip, a flood of them its bandwidth.
class MessageCosts {
  public:
    /// What was measured of the two.
    struct Tables {
        /// Of the processors, by size; where there are none, `loggp` has them.
        std::vector<std::uint64_t> overhead_sizes;
        std::vector<double> send;     ///< o_s(S), seconds
        std::vector<double> receive;  ///< o_r(S), seconds
        LogGP loggp;
        std::vector<std::uint64_t> bandwidth_sizes;
        std::vector<double> bandwidth;        ///< of a flood, bytes per second
        Timings half_round_trip;              ///< may be empty: then `loggp.L` is the latency
        std::vector<std::uint64_t> switches;  ///< sizes where a protocol does
        Nic nic = Nic::serialising;           ///< how messages have the wire
        bool on_links = true;                 ///< whether there are links between them
        /// The largest message that leaves before its receive is posted, bytes; 0: none does.
        std::uint64_t eager = std::numeric_limits<std::uint64_t>::max();
        /// The largest message whose send ends before it has left, bytes; 0: none does.
        std::uint64_t buffered = std::numeric_limits<std::uint64_t>::max();
    };

    MessageCosts() = default;
    explicit MessageCosts(Tables tables);

    [[nodiscard]] MessageTicks cost(std::uint64_t size) const;
    /// Seconds of the wire that a message is given after a rest: see `MeasuredMachine::credit`.
    [[nodiscard]] double credit() const { return given_; }

  private:
    void set_overhead_switches(const std::vector<std::uint64_t>& switches);
    void set_wire(const Tables& tables);
    void set_wire_switches(const std::vector<std::uint64_t>& switches,
                           const Timings& half_round_trip);
    void set_latency(const Timings& half_round_trip, double L);
    [[nodiscard]] double credit(const Timings& half_round_trip) const;
    [[nodiscard]] double processors(double size) const;
    [[nodiscard]] double way(const Timings& half_round_trip, double size) const;
    [[nodiscard]] double wire_time(double size) const;

    std::vector<std::uint64_t> overhead_sizes_;
    std::vector<double> send_;
    std::vector<double> receive_;
    std::vector<std::uint64_t> wire_sizes_;
    std::vector<double> wire_;
    double G_ = 0;  ///< beyond the tables, seconds per byte
    std::vector<std::uint64_t> latency_sizes_;
    std::vector<double> latency_;  ///< below 0 where processors work meanwhile
    bool one_by_one_ = false;      ///< messages have the wire for themselves
    double given_ = 0;             ///< of the wire after a rest, seconds
};

/// The tables of two ranks on different nodes, measured (a `Profile` is a `LinkCosts`) or derived
/// from what was measured.
[[nodiscard]] MessageCosts::Tables tables_of(const LinkCosts& link);
/// The tables of two ranks on one node: there is no link between them. `nic`: how messages
/// share what they go through instead.
[[nodiscard]] MessageCosts::Tables tables_within_node(const PairCosts& pair, Nic nic);

}  // namespace lapwing::simulate
