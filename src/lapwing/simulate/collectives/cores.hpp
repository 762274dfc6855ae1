#pragma once

#include "lapwing/simulate/collectives/powers.hpp"
#include "lapwing/simulate/time.hpp"

namespace lapwing::simulate {

/// The ranks as a power of two of cores. Of any other number of ranks the first few go together in
/// twos: the even one idles, the odd one is the core of both (Rabenseifner 2004; MPICH).
class Cores {
  public:
    explicit Cores(Rank ranks)
        : levels_(floor_log2(ranks)), count_(Rank{1} << levels_), twos_(ranks - count_) {}

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    [[nodiscard]] Rank count() const { return count_; }
    /// Whether the rank is one of two that go together, and whether it is the one that idles.
    [[nodiscard]] bool folded(Rank rank) const { return rank < 2 * twos_; }
    [[nodiscard]] bool idle(Rank rank) const { return folded(rank) && rank % 2 == 0; }
    [[nodiscard]] Rank core_of(Rank rank) const { return folded(rank) ? rank / 2 : rank - twos_; }
    [[nodiscard]] Rank rank_of(Rank core) const {
        return core < twos_ ? 2 * core + 1 : core + twos_;
    }
    /// The first of the ranks that a core stands for; those of several cores follow each other.
    [[nodiscard]] Rank first_rank(Rank core) const {
        return core < twos_ ? 2 * core : core + twos_;
    }

  private:
    std::uint32_t levels_;
    Rank count_;
    Rank twos_;  ///< how many cores stand for two ranks
};

}  // namespace lapwing::simulate
