#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/cached_costs.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// Exchanges between ranks whose numbers differ in one bit. Of a number of ranks that is no power
/// of two, the first `2 (P - 2^h)` go together in twos: one hands over what it has and is given the
/// result, the other exchanges for both, and begins that much later. In a round a rank either waits
/// for its partner's message, or has it already and only pays its own overheads; the last rank is
/// the end of the longest path through the rounds.
class RecursiveDoubling {
  public:
    RecursiveDoubling(const Network& network, std::uint64_t ranks)
        : network_(network),
          ranks_(ranks),
          levels_(floor_log(ranks)),
          late_(std::uint64_t{1} << ceil_log(twos())),
          message_(network),
          rounds_(network, ranks) {}

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    [[nodiscard]] std::uint64_t cores() const { return std::uint64_t{1} << levels_; }
    /// The larger of the shares of `size` bytes cut into as many as there are cores.
    [[nodiscard]] std::uint64_t share_of_core(std::uint64_t size) const {
        return (size + cores() - 1) >> levels_;
    }
    /// How many ranks exchange for two.
    [[nodiscard]] std::uint64_t twos() const { return ranks_ - cores(); }
    /// How many ranks the first `cores` of those that exchange stand for.
    [[nodiscard]] std::uint64_t stand_for(std::uint64_t cores) const {
        return cores + std::min(cores, twos());
    }

    /// `times` rounds of `size` bytes between those whose numbers differ in bit `bit`.
    void round(double size, std::uint32_t bit, std::uint64_t times = 1) {
        const std::uint64_t distance = std::uint64_t{1} << bit;
        if (twos() == 0) {
            rounds_.exchange(size, distance, times);
            return;
        }
        // Those that begin late are the first: where they exchange among themselves, both are late.
        // Else the partner's message is there, unless the rounds are repeated or it waits.
        const bool there = distance >= late_ && !repeated_;
        // Where two ranks are one core, the cores are twice as far apart.
        const std::uint64_t apart = 2 * distance;
        const auto bytes = static_cast<std::uint64_t>(static_cast<std::int64_t>(size));
        const double takes = there ? arrived(message_(bytes, apart)) : message_.total(bytes, apart);
        returning_ += static_cast<double>(times) * takes;
        rounds_.shift(size, distance, times);
    }
    /// Seconds that all rounds so far take, on their longest path.
    [[nodiscard]] double so_far() const { return rounds_.seconds(); }
    /// The rounds go over each bit twice, so that every path can return to where it began.
    void repeat() { repeated_ = true; }

    /// Seconds in all, where `over` bytes are handed over and `back` bytes given back.
    [[nodiscard]] double finish(double over, double back) const {
        if (twos() == 0) return rounds_.seconds();
        const double given = network_.total(over, 1);
        const double returning = given + returning_;
        return std::max(begun(over), std::max(returning, rounds_.seconds()) + returned(back));
    }
    /// Until the last of those that exchange has ended, nothing being given back.
    [[nodiscard]] double begun(double over) const {
        if (twos() == 0) return rounds_.seconds();
        return network_.total(over, 1) + rounds_.seconds();
    }
    /// Until the last has ended, where what is handed over could be there long before: all but the
    /// first of those who take it over have their own last, and then ask for it if it waits.
    [[nodiscard]] double ended(double over, double back) const {
        const bool asked = twos() > 1 || (twos() == 1 && cores() == 2);
        const MessageCost cost = network_.message(over, 1);
        return rounds_.seconds() + (asked && cost.waits ? cost.awaited() : 0) + returned(back);
    }

  private:
    /// What a round takes where the partner's message is there, but no earlier than the interface
    /// lets it in; one that waits for its receive takes as long as ever.
    [[nodiscard]] static double arrived(const MessageCost& cost) {
        return cost.waits ? cost.total() : std::max(cost.send + cost.receive, cost.wire);
    }
    [[nodiscard]] double returned(double back) const {
        return twos() == 0 ? 0 : network_.total(back, 1);
    }

    const Network& network_;
    std::uint64_t ranks_;
    std::uint32_t levels_;
    std::uint64_t late_;  ///< cores that are closer than this and late exchange with one another
    bool repeated_ = false;
    CachedCosts message_;
    Rounds rounds_;         ///< the longest path
    double returning_ = 0;  ///< the longest from one that begins late to one that hands back
};

}  // namespace lapwing::model
