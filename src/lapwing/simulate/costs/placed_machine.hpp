#pragma once

#include <cstdint>

#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing::simulate {

/// A measured machine whose ranks are on the nodes where its topology's placement has them.
class PlacedMachine : public MeasuredMachine {
  public:
    PlacedMachine(const MeasuredMachine& machine, Rank ranks)
        : MeasuredMachine(machine),
          goes_round_(topology().placement().order == Placement::Order::round_robin),
          nodes_(machine.nodes(ranks)) {}

    [[nodiscard]] MessageTicks cost(Rank from, Rank to, std::uint64_t size) const {
        return cost_in(place(from, to, within_node(from, to)), size);
    }
    [[nodiscard]] bool within_node(Rank from, Rank to) const { return node(from) == node(to); }
    [[nodiscard]] Rank node(Rank rank) const {
        return goes_round_ ? rank % nodes_ : MeasuredMachine::node(rank);
    }

  private:
    bool goes_round_;
    Rank nodes_;
};

}  // namespace lapwing::simulate
