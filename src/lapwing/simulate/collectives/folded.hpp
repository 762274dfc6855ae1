#pragma once

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/cores.hpp"

namespace lapwing::simulate {

/// Consecutive blocks, and their effect at the receiver.
struct Span {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    Effect effect = Effect::replace;
};

/// Algorithms in which a core exchanges with the core whose number differs in one bit. An idle rank
/// sends its data to its core before, and receives the result after.
class Folded : public Collective {
  public:
    [[nodiscard]] std::uint32_t steps(Rank rank) const final {
        if (!cores_.folded(rank)) return rounds();
        return (cores_.idle(rank) ? 1 : 1 + rounds()) + (gives_back() ? 1 : 0);
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const final {
        if (cores_.idle(rank)) return step == 0 ? Step{1, 0} : Step{0, 1};
        if (!cores_.folded(rank)) return {1, 1};
        if (step == 0) return {0, 1};
        return step <= rounds() ? Step{1, 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const final {
        if (cores_.idle(rank)) return transfer(Cores::partner(rank), 0, handed_over(rank));
        const bool folded = cores_.folded(rank);
        const Rank partner = Cores::partner(rank);
        if (folded && step == rounds() + 1) return transfer(partner, 1, handed_back(partner));
        const std::uint32_t round = step - (folded ? 1 : 0);
        const Rank core = cores_.core_of(rank);
        const Rank peer = cores_.rank_of(core ^ distance(round));
        return transfer(peer, round + (cores_.folded(peer) ? 1 : 0), exchanged(core, round));
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const final {
        const Rank partner = Cores::partner(rank);
        if (cores_.idle(rank)) return transfer(partner, 0, handed_back(rank));
        const bool folded = cores_.folded(rank);
        if (folded && step == 0) return transfer(partner, 0, handed_over(partner));
        const std::uint32_t round = step - (folded ? 1 : 0);
        const Rank peer = cores_.core_of(rank) ^ distance(round);
        return transfer(cores_.rank_of(peer), 0, exchanged(peer, round));
    }

  protected:
    Folded(Rank ranks, Parts parts, CoreOf core = CoreOf::odd)
        : Collective(ranks, std::move(parts)), cores_(ranks, core) {}

    /// The number of exchanges, and the bit in which the partners' numbers differ.
    [[nodiscard]] virtual std::uint32_t rounds() const = 0;
    [[nodiscard]] virtual Rank distance(std::uint32_t round) const = 0;
    /// What a core sends in a round, and what an idle rank sends before and receives after.
    [[nodiscard]] virtual Span exchanged(Rank core, std::uint32_t round) const = 0;
    [[nodiscard]] virtual Span handed_over(Rank rank) const = 0;
    [[nodiscard]] virtual Span handed_back(Rank rank) const = 0;
    /// Whether idle ranks receive anything after.
    [[nodiscard]] virtual bool gives_back() const { return true; }

    [[nodiscard]] const Cores& cores() const { return cores_; }

  private:
    static Transfer transfer(Rank peer, std::uint32_t key, const Span& span) {
        return {peer, key, span.first, span.count, span.effect};
    }

    Cores cores_;
};

}  // namespace lapwing::simulate
