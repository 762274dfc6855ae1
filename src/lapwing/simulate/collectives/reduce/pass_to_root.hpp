#pragma once

#include "lapwing/simulate/collectives/collective.hpp"

namespace lapwing::simulate {

/// The last rank, with which a reduction in order ends, sends the result to rank 0.
class PassToRoot final : public Collective {
  public:
    /// `parts`: the result.
    PassToRoot(Rank ranks, const Parts& parts) : Collective(ranks, parts) {}

    [[nodiscard]] std::uint32_t steps(Rank rank) const override {
        return ranks() > 1 && (rank == 0 || rank == ranks() - 1) ? 1 : 0;
    }
    [[nodiscard]] Step step(Rank rank, std::uint32_t) const override {
        return rank == 0 ? Step{0, 1} : Step{1, 0};
    }
    [[nodiscard]] Transfer sent(Rank, std::uint32_t, std::uint32_t) const override {
        return {0, 0, 0, parts().count()};
    }
    [[nodiscard]] Transfer received(Rank, std::uint32_t, std::uint32_t) const override {
        return {ranks() - 1, 0, 0, parts().count()};
    }
};

}  // namespace lapwing::simulate
