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

/// Seconds as ticks, rounded. Throws `std::invalid_argument` beyond `longest_part`.
[[nodiscard]] inline Time ticks(double seconds) {
    const double ticks = seconds * 1e9 * ticks_in_nanosecond;
    if (!(ticks <= static_cast<double>(longest_part))) too_long();
    return static_cast<Time>(std::llround(ticks));
}

/// What one message costs, in ticks.
struct MessageTicks {
    Time send = 0;     ///< o_s(S): of its sender's processor
    Time latency = 0;  ///< from its sender's processor to its links
    Time wire = 0;     ///< for which it holds its links, without credit
    Time receive = 0;  ///< o_r(S): of its receiver's processor
    /// The message leaves its sender's processor so long before that is done with it.
    Time head_start = 0;
    /// The receiver's processor can begin so long before the last byte has left the links.
    Time overlap = 0;
    /// The message is delivered, and its send ends, so long before its links are free. Each message
    /// of a flood takes that much longer than one by itself, for example because caches are full.
    Time early = 0;
    /// Of its receiver's processor besides, if the message was there before its receive was posted:
    /// its copy out of the library's buffer. 0 of one that waits for its receive.
    Time unexpected = 0;
};

/// What messages between two ranks cost by their size, from tables of latency and bandwidth. A
/// message by itself takes half a round trip, each of a flood its size over the bandwidth.
class MessageCosts {
  public:
    /// What is known of messages between two ranks.
    struct Tables {
        /// Sizes of the overheads below; none: `loggp` has the overheads.
        std::vector<std::uint64_t> overhead_sizes;
        std::vector<double> send;     ///< o_s(S), seconds
        std::vector<double> receive;  ///< o_r(S), seconds
        LogGP loggp;
        std::vector<std::uint64_t> bandwidth_sizes;
        std::vector<double> bandwidth;        ///< of a flood, bytes per second
        Timings half_round_trip;              ///< empty: `loggp.L` is the latency
        std::vector<std::uint64_t> switches;  ///< largest sizes before the protocol changes
        Nic nic = Nic::serialising;
        bool on_links = true;  ///< whether there are links between the two
        /// The largest message that leaves before its receive is posted, bytes; 0: none does.
        std::uint64_t eager = std::numeric_limits<std::uint64_t>::max();
        /// The largest message whose send ends before the message has left, bytes; 0: none does.
        std::uint64_t buffered = std::numeric_limits<std::uint64_t>::max();
        /// Seconds from then until the send of any longer one ends.
        double acknowledgement = 0;
    };

    MessageCosts() = default;
    explicit MessageCosts(Tables tables);

    /// What a message of `size` bytes costs. Throws `std::invalid_argument` if it takes longer than
    /// `Time` can hold.
    [[nodiscard]] MessageTicks cost(std::uint64_t size) const;
    /// Seconds of transmission that links give away after they were idle: see
    /// `MeasuredMachine::credit`.
    [[nodiscard]] double credit() const { return credit_; }

  private:
    void add_overhead_switches(const std::vector<std::uint64_t>& switches);
    void set_wire(const Tables& tables);
    void add_wire_switches(const std::vector<std::uint64_t>& switches,
                           const Timings& half_round_trip);
    void set_latency(const Timings& half_round_trip, double L);
    [[nodiscard]] double estimate_credit(const Timings& half_round_trip) const;
    [[nodiscard]] double overheads(double size) const;
    [[nodiscard]] double transit(const Timings& half_round_trip, double size) const;
    [[nodiscard]] double wire_time(double size) const;

    std::vector<std::uint64_t> overhead_sizes_;
    std::vector<double> send_;     ///< o_s(S), seconds
    std::vector<double> receive_;  ///< o_r(S), seconds
    std::vector<std::uint64_t> wire_sizes_;
    std::vector<double> wire_;  ///< seconds on the links
    double G_ = 0;              ///< beyond the tables, seconds per byte
    std::vector<std::uint64_t> latency_sizes_;
    std::vector<double> latency_;  ///< seconds; negative where processors work meanwhile
    bool serialising_ = false;     ///< links carry one message at a time
    double credit_ = 0;            ///< seconds
};

/// The tables of two ranks on different nodes, measured (a `Profile` is a `LinkCosts`) or derived
/// from what was measured.
[[nodiscard]] MessageCosts::Tables tables_of(const LinkCosts& link);
/// The tables of two ranks on one node: there is no link between them. `nic`: how messages
/// share what they go through instead. `per_byte`: seconds that each byte takes at least, for ranks
/// of a node share its memory; 0: as long as it took the two ranks alone.
[[nodiscard]] MessageCosts::Tables tables_within_node(const PairCosts& pair, Nic nic,
                                                      double per_byte = 0);

}  // namespace lapwing::simulate
