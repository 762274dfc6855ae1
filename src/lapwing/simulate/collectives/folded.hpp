#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/powers.hpp"

namespace lapwing::simulate {

/// Blocks that follow each other.
struct Span {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    Effect effect = Effect::replace;
};

/// Algorithms in which a power of two of ranks exchange with the rank whose number differs in one
/// bit. Of any other number of ranks the first few go together in twos: the even one hands over
/// what it has to the odd one, waits, and is given the result (Rabenseifner 2004; MPICH). The ranks
/// that exchange are the cores.
class Folded : public Collective {
  public:
    [[nodiscard]] std::uint32_t steps(Rank rank) const final {
        if (!folded(rank)) return rounds();
        return idle(rank) ? 2 : rounds() + 2;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const final {
        if (idle(rank)) return step == 0 ? Step{1, 0} : Step{0, 1};
        if (!folded(rank)) return {1, 1};
        if (step == 0) return {0, 1};
        return step <= rounds() ? Step{1, 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const final {
        if (idle(rank)) return transfer(rank + 1, 0, handed_over(rank));
        if (folded(rank) && step == rounds() + 1)
            return transfer(rank - 1, 1, handed_back(rank - 1));
        const std::uint32_t round = step - (folded(rank) ? 1 : 0);
        const Rank core = core_of(rank);
        const Rank peer = rank_of(core ^ distance(round));
        return transfer(peer, round + (folded(peer) ? 1 : 0), exchanged(core, round));
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const final {
        if (idle(rank)) return transfer(rank + 1, 0, handed_back(rank));
        if (folded(rank) && step == 0) return transfer(rank - 1, 0, handed_over(rank - 1));
        const std::uint32_t round = step - (folded(rank) ? 1 : 0);
        const Rank peer = core_of(rank) ^ distance(round);
        return transfer(rank_of(peer), 0, exchanged(peer, round));
    }

  protected:
    Folded(Rank ranks, Parts parts)
        : Collective(ranks, std::move(parts)),
          levels_(floor_log2(ranks)),
          cores_(Rank{1} << levels_),
          twos_(ranks - cores_) {}

    /// The exchanges, and by which bit the partners' numbers differ in each.
    [[nodiscard]] virtual std::uint32_t rounds() const = 0;
    [[nodiscard]] virtual Rank distance(std::uint32_t round) const = 0;
    /// What a core sends in a round, and what an idle rank gives before and gets after.
    [[nodiscard]] virtual Span exchanged(Rank core, std::uint32_t round) const = 0;
    [[nodiscard]] virtual Span handed_over(Rank rank) const = 0;
    [[nodiscard]] virtual Span handed_back(Rank rank) const = 0;

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    [[nodiscard]] Rank cores() const { return cores_; }
    /// The first of the ranks that a core stands for; those of several cores follow each other.
    [[nodiscard]] Rank first_rank(Rank core) const {
        return core < twos_ ? 2 * core : core + twos_;
    }

  private:
    [[nodiscard]] bool folded(Rank rank) const { return rank < 2 * twos_; }
    [[nodiscard]] bool idle(Rank rank) const { return folded(rank) && rank % 2 == 0; }
    [[nodiscard]] Rank core_of(Rank rank) const { return folded(rank) ? rank / 2 : rank - twos_; }
    [[nodiscard]] Rank rank_of(Rank core) const {
        return core < twos_ ? 2 * core + 1 : core + twos_;
    }
    static Transfer transfer(Rank peer, std::uint32_t key, const Span& span) {
        return {peer, key, span.first, span.count, span.effect};
    }

    std::uint32_t levels_;
    Rank cores_;
    Rank twos_;  ///< how many cores stand for two ranks
};

}  // namespace lapwing::simulate
