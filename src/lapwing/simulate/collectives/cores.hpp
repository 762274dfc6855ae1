#pragma once

#include <cstdint>

#include "lapwing/simulate/collectives/powers.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Which of two ranks that go together is the core of both.
enum class CoreOf : std::uint8_t { even, odd };

/// The ranks as a power of two of cores. Of any other number of ranks the first few go together in
/// twos: one is the core of both, the other idles (Rabenseifner 2004; MPICH).
class Cores {
  public:
    explicit Cores(Rank ranks, CoreOf core = CoreOf::odd)
        : levels_(floor_log2(ranks)),
          count_(Rank{1} << levels_),
          twos_(ranks - count_),
          odd_(core == CoreOf::odd ? 1 : 0) {}

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    [[nodiscard]] Rank count() const { return count_; }
    /// Whether the rank is one of two that go together, and whether it is the one that idles.
    [[nodiscard]] bool folded(Rank rank) const { return rank < 2 * twos_; }
    [[nodiscard]] bool idle(Rank rank) const { return folded(rank) && rank % 2 != odd_; }
    /// The rank with which it goes together.
    [[nodiscard]] static Rank partner(Rank rank) { return rank ^ 1U; }
    [[nodiscard]] Rank core_of(Rank rank) const { return folded(rank) ? rank / 2 : rank - twos_; }
    [[nodiscard]] Rank rank_of(Rank core) const {
        return core < twos_ ? 2 * core + odd_ : core + twos_;
    }
    /// The first of the ranks that a core stands for; those of several cores follow each other.
    [[nodiscard]] Rank first_rank(Rank core) const {
        return core < twos_ ? 2 * core : core + twos_;
    }

    /// What is left to a core of one block a core when it has shared them `times` times, each time
    /// with the core whose number differs in the next bit from the lowest on: the first of its
    /// blocks. It has `count() >> times` of them, one behind the other.
    [[nodiscard]] Rank kept_from(Rank core, std::uint32_t times) const {
        Rank first = 0;
        for (std::uint32_t k = 0; k < times; ++k)
            if ((core >> k & 1U) != 0) first += count_ >> (k + 1);
        return first;
    }

  private:
    std::uint32_t levels_;
    Rank count_;
    Rank twos_;  ///< how many cores stand for two ranks
    Rank odd_;   ///< 1 if those are the odd ones
};

}  // namespace lapwing::simulate
