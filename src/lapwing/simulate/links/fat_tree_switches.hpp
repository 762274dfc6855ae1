#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lapwing/profile/interconnect.hpp"
#include "lapwing/simulate/links/switches.hpp"

namespace lapwing::simulate {

/// A fat tree, with the routes of `Topology::View`.
class FatTreeSwitches final : public Switches {
  public:
    /// `used`: nodes that a program needs, if there are more than the tree says.
    FatTreeSwitches(const FatTree& tree, std::uint32_t used)
        : tree_(tree), leaves_((std::max({tree.nodes, used, 1U}) + tree.below - 1) / tree.below) {}

    [[nodiscard]] std::uint32_t links() const override { return 2 * leaves_ * tree_.uplinks; }
    [[nodiscard]] std::uint32_t diameter() const override { return 2; }
    void route(std::uint32_t from, std::uint32_t to, std::vector<Link>& links) const override {
        const std::uint32_t up = from / tree_.below;
        const std::uint32_t down = to / tree_.below;
        if (up == down) return;
        const std::uint32_t number = to % tree_.uplinks;
        links.push_back(2 * (up * tree_.uplinks + number));
        links.push_back(2 * (down * tree_.uplinks + number) + 1);
    }

  private:
    FatTree tree_;
    std::uint32_t leaves_;
};

}  // namespace lapwing::simulate
