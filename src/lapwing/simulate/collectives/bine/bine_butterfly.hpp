#pragma once

#include "lapwing/simulate/collectives/bine/bine.hpp"
#include "lapwing/simulate/collectives/folded.hpp"

namespace lapwing::simulate {

/// Algorithms in which each core exchanges with its Bine partner of one step in every round. Cores
/// that exchange in the steps from some step on are a group.
class BineButterfly : public Folded {
  protected:
    BineButterfly(Rank ranks, Parts parts, CoreOf core = CoreOf::odd,
                  IdleRanks idle = IdleRanks::hand_over_and_get_back)
        : Folded(ranks, std::move(parts), core, idle), bine_(cores().levels()) {}

    [[nodiscard]] const Bine& bine() const { return bine_; }
    [[nodiscard]] std::uint32_t levels() const { return bine_.levels(); }

    /// The first position of the group of `core` from `step` on, which has 2^(levels - `step`) of
    /// them.
    [[nodiscard]] Rank first_position(Rank core, std::uint32_t step) const {
        const std::uint32_t size = levels() - step;
        return bine_.position(core) >> size << size;
    }
    /// The number of ranks for which the group of `core` from `step` on exchanges. Its cores have
    /// the number of `core` or of its partner, modulo 2^(`step` + 1).
    [[nodiscard]] Rank ranks_of_group(Rank core, std::uint32_t step) const {
        if (step == levels()) return core < cores().twos() ? 2 : 1;
        const std::uint32_t bits = step + 1;
        const auto twos = [&](Rank one) {
            const Rank lowest = one & ((Rank{1} << bits) - 1);
            return lowest < cores().twos() ? ((cores().twos() - lowest - 1) >> bits) + 1 : 0;
        };
        return (cores().count() >> step) + twos(core) + twos(bine_.partner(core, step));
    }
    /// Those ranks.
    [[nodiscard]] std::vector<std::uint64_t> group(Rank core, std::uint32_t step) const {
        std::vector<std::uint64_t> ranks;
        const Rank first = first_position(core, step);
        for (Rank i = 0; i < cores().count() >> step; ++i) {
            const Rank member = bine_.core_at(first + i);
            ranks.push_back(cores().first_rank(member));
            if (member < cores().twos()) ranks.push_back(cores().first_rank(member) + 1);
        }
        return ranks;
    }

  private:
    Bine bine_;
};

}  // namespace lapwing::simulate
