#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/cached_costs.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// The distance of the partners of step `step` of a Bine butterfly: |1 - 2 + 4 - … (-2)^step|.
[[nodiscard]] constexpr std::uint64_t bine_distance(std::uint32_t step) {
    return ((std::uint64_t{2} << step) + (step % 2 == 0 ? 1 : 0)) / 3;
}

/// Which cores exchange in the round of a bit: cores whose numbers differ in it, or cores that are
/// `bine_distance` apart.
enum class Partners : std::uint8_t { one_bit, bine };

/// The rounds of recursive doubling or halving, for any number of ranks P. In a round, two ranks
/// exchange if their numbers differ in one bit. With `2^h` the largest power of two up to P, the
/// first `2 (P - 2^h)` ranks form pairs. One of a pair hands its data to the other, and receives
/// the result in the end. The other exchanges for both, and so begins late. Those that exchange are
/// the `cores`. In a round a rank waits for its partner's message, or has it already and pays only
/// its own overheads. The time is that of the longest path through the rounds.
class RecursiveDoubling {
  public:
    RecursiveDoubling(const Network& network, std::uint64_t ranks,
                      Partners partners = Partners::one_bit)
        : network_(network),
          ranks_(ranks),
          levels_(floor_log(ranks)),
          late_(std::uint64_t{1} << ceil_log(twos())),
          bine_(partners == Partners::bine),
          message_(network),
          rounds_(network, ranks) {}

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    [[nodiscard]] std::uint64_t cores() const { return std::uint64_t{1} << levels_; }
    /// Bytes of the larger share if `size` bytes are split among the cores.
    [[nodiscard]] std::uint64_t share_of_core(std::uint64_t size) const {
        return (size + cores() - 1) >> levels_;
    }
    /// The number of cores that exchange for two ranks.
    [[nodiscard]] std::uint64_t twos() const { return ranks_ - cores(); }
    /// The number of ranks for which the first `cores` cores exchange.
    [[nodiscard]] std::uint64_t stand_for(std::uint64_t cores) const {
        return cores + std::min(cores, twos());
    }

    /// The number of ranks for which any `cores` cores exchange, on average.
    [[nodiscard]] std::uint64_t expected(std::uint64_t cores) const {
        return share(cores * ranks_, this->cores());
    }

    /// Adds `times` rounds of `size` bytes between cores whose numbers differ in bit `bit`.
    void round(double size, std::uint32_t bit, std::uint64_t times = 1) {
        const std::uint64_t power = std::uint64_t{1} << bit;
        const std::uint64_t distance = bine_ ? bine_distance(bit) : power;
        if (twos() == 0) {
            if (bine_)
                rounds_.shift(size, distance, times);
            else
                rounds_.exchange(size, distance, times);
            return;
        }
        // Late cores come first: two of them that exchange are both late. A core that is on time
        // has its late partner's message already, unless rounds are repeated or the message waits.
        const bool there = power >= late_ && !repeated_;
        // Among cores for two ranks, the distance between ranks is twice that between cores.
        const std::uint64_t apart = 2 * distance;
        const auto bytes = static_cast<std::uint64_t>(static_cast<std::int64_t>(size));
        const double takes = there ? arrived(message_(bytes, apart)) : message_.total(bytes, apart);
        returning_ += static_cast<double>(times) * takes;
        rounds_.shift(size, distance, times);
    }
    /// Seconds of the longest path through all rounds so far.
    [[nodiscard]] double so_far() const { return rounds_.seconds(); }
    /// Says that the rounds go over each bit twice, so that every path can return to its start.
    void repeat() { repeated_ = true; }

    /// Seconds in total, if `over` bytes are handed over and `back` bytes are given back.
    [[nodiscard]] double finish(double over, double back) const {
        if (twos() == 0) return rounds_.seconds();
        const double given = network_.total(over, 1);
        const double returning = given + returning_;
        return std::max(begun(over), std::max(returning, rounds_.seconds()) + returned(back));
    }
    /// Seconds until the last core is done, if nothing is given back.
    [[nodiscard]] double begun(double over) const {
        if (twos() == 0) return rounds_.seconds();
        return network_.total(over, 1) + rounds_.seconds();
    }
    /// Seconds until the last rank is done, if the data to hand over could be there long before.
    /// All cores for two ranks but the first get their own data last, and then ask for the other's
    /// if it waits.
    [[nodiscard]] double ended(double over, double back) const {
        const bool asked = twos() > 1 || (twos() == 1 && cores() == 2);
        const MessageCost cost = network_.message(over, 1);
        return rounds_.seconds() + (asked && cost.waits ? cost.awaited() : 0) + returned(back);
    }

  private:
    /// Seconds of a round in which the partner's message is there already, as soon as the interface
    /// lets it in. A message that waits for its receive takes its full time.
    [[nodiscard]] static double arrived(const MessageCost& cost) {
        return cost.waits ? cost.total() : std::max(cost.send + cost.receive, cost.wire);
    }
    [[nodiscard]] double returned(double back) const {
        return twos() == 0 ? 0 : network_.total(back, 1);
    }

    const Network& network_;
    std::uint64_t ranks_;
    std::uint32_t levels_;
    std::uint64_t late_;  ///< late cores closer than this exchange with one another
    bool repeated_ = false;
    bool bine_;
    CachedCosts message_;
    Rounds rounds_;         ///< the longest path
    double returning_ = 0;  ///< the longest path from a late core to one that gives back
};

}  // namespace lapwing::model
