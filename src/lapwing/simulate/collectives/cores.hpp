#pragma once

#include <cstdint>

#include "lapwing/simulate/collectives/powers.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Which rank of a pair stands for both.
enum class CoreOf : std::uint8_t { even, odd };

/// Any number of ranks as a power of two of cores. As many of the first ranks as necessary are
/// paired: one rank of a pair is the core of both, the other is idle (Rabenseifner 2004; MPICH).
class Cores {
  public:
    explicit Cores(Rank ranks, CoreOf core = CoreOf::odd)
        : levels_(floor_log2(ranks)),
          count_(Rank{1} << levels_),
          twos_(ranks - count_),
          odd_(core == CoreOf::odd ? 1 : 0) {}

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    [[nodiscard]] Rank count() const { return count_; }
    /// The number of cores that stand for two ranks, which are the first ones.
    [[nodiscard]] Rank twos() const { return twos_; }
    /// Whether the rank is in a pair, and whether it is the idle one.
    [[nodiscard]] bool folded(Rank rank) const { return rank < 2 * twos_; }
    [[nodiscard]] bool idle(Rank rank) const { return folded(rank) && rank % 2 != odd_; }
    /// The other rank of its pair.
    [[nodiscard]] static Rank partner(Rank rank) { return rank ^ 1U; }
    [[nodiscard]] Rank core_of(Rank rank) const { return folded(rank) ? rank / 2 : rank - twos_; }
    [[nodiscard]] Rank rank_of(Rank core) const {
        return core < twos_ ? 2 * core + odd_ : core + twos_;
    }
    /// The first rank that a core stands for. The ranks of consecutive cores are consecutive.
    [[nodiscard]] Rank first_rank(Rank core) const {
        return core < twos_ ? 2 * core : core + twos_;
    }
    /// The number of ranks that `count` cores from `first` on stand for, cyclically.
    [[nodiscard]] Rank ranks_of(Rank first, Rank count) const {
        if (first + count <= count_) return first_rank(first + count) - first_rank(first);
        return count_ + twos_ - first_rank(first) + first_rank(first + count - count_);
    }

    /// The first block that a core still has after `times` rounds of recursive halving. In round k
    /// it gives half of its blocks to the core whose number differs in bit k. It begins with a
    /// block for each core, and has `count() >> times` consecutive ones left.
    [[nodiscard]] Rank kept_from(Rank core, std::uint32_t times) const {
        Rank first = 0;
        for (std::uint32_t k = 0; k < times; ++k)
            if ((core >> k & 1U) != 0) first += count_ >> (k + 1);
        return first;
    }

  private:
    std::uint32_t levels_;
    Rank count_;
    Rank twos_;
    Rank odd_;  ///< 1 if those are the odd ones
};

}  // namespace lapwing::simulate
