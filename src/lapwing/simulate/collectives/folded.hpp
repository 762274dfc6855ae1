#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/simulate/collectives/collective.hpp"
#include "lapwing/simulate/collectives/cores.hpp"

namespace lapwing::simulate {

/// Consecutive blocks, and their effect at the receiver.
struct Span {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    Effect effect = Effect::replace;
};

/// What an idle rank exchanges with its core: it hands its data over before, it is given the result
/// back after.
enum class IdleRanks : std::uint8_t { hand_over_and_get_back, hand_over, get_back };

/// Algorithms in which each core exchanges with one other core in every round.
class Folded : public Collective {
  public:
    [[nodiscard]] std::uint32_t steps(Rank rank) const final {
        if (!cores_.folded(rank)) return rounds();
        return (cores_.idle(rank) ? 0 : rounds()) + before_ + (gives_back_ ? 1 : 0);
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t step) const final {
        if (cores_.idle(rank)) return step < before_ ? Step{1, 0} : Step{0, 1};
        if (!cores_.folded(rank)) return {1, 1};
        if (step < before_) return {0, 1};
        return step < before_ + rounds() ? Step{1, 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank rank, std::uint32_t step, std::uint32_t) const final {
        const Rank other = Cores::partner(rank);
        if (cores_.idle(rank)) return transfer(other, 0, handed_over(rank));
        const bool folded = cores_.folded(rank);
        if (folded && step == before_ + rounds())
            return transfer(other, before_, handed_back(other));
        const std::uint32_t round = step - (folded ? before_ : 0);
        const Rank core = cores_.core_of(rank);
        const Rank peer = cores_.rank_of(partner(core, round));
        return transfer(peer, round + (cores_.folded(peer) ? before_ : 0), exchanged(core, round));
    }
    [[nodiscard]] Transfer received(Rank rank, std::uint32_t step, std::uint32_t) const final {
        const Rank other = Cores::partner(rank);
        if (cores_.idle(rank)) return transfer(other, 0, handed_back(rank));
        const bool folded = cores_.folded(rank);
        if (folded && step < before_) return transfer(other, 0, handed_over(other));
        const std::uint32_t round = step - (folded ? before_ : 0);
        const Rank peer = partner(cores_.core_of(rank), round);
        return transfer(cores_.rank_of(peer), 0, exchanged(peer, round));
    }

  protected:
    Folded(Rank ranks, Parts parts, CoreOf core = CoreOf::odd,
           IdleRanks idle = IdleRanks::hand_over_and_get_back)
        : Collective(ranks, std::move(parts)),
          cores_(ranks, core),
          before_(idle == IdleRanks::get_back ? 0 : 1),
          gives_back_(idle != IdleRanks::hand_over) {}

    /// The number of exchanges, and the core with which a core exchanges.
    [[nodiscard]] virtual std::uint32_t rounds() const = 0;
    [[nodiscard]] virtual Rank partner(Rank core, std::uint32_t round) const = 0;
    /// What a core sends in a round, and what an idle rank sends before and receives after.
    [[nodiscard]] virtual Span exchanged(Rank core, std::uint32_t round) const = 0;
    [[nodiscard]] virtual Span handed_over(Rank rank) const = 0;
    [[nodiscard]] virtual Span handed_back(Rank rank) const = 0;

    [[nodiscard]] const Cores& cores() const { return cores_; }
    /// The round of a step in which `rank` exchanges with another core; nothing if it is idle, or
    /// exchanges with its idle rank.
    [[nodiscard]] std::optional<std::uint32_t> round_of(Rank rank, std::uint32_t step) const {
        const std::uint32_t first = cores_.folded(rank) ? before_ : 0;
        if (cores_.idle(rank) || step < first || step >= first + rounds()) return std::nullopt;
        return step - first;
    }

  private:
    static Transfer transfer(Rank peer, std::uint32_t key, const Span& span) {
        return {peer, key, span.first, span.count, span.effect};
    }

    Cores cores_;
    std::uint32_t before_;  ///< steps before the rounds
    bool gives_back_;
};

}  // namespace lapwing::simulate
