#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/interconnect.hpp"
#include "lapwing/simulate/links/switches.hpp"

namespace lapwing::simulate {

/// A dragonfly or a dragonfly+. Of k links from a group to group j, the first leaves it at switch j
/// k, and the next one at the next switch. The count goes round the switches of the group, of a
/// dragonfly+ round its spines. So each switch has about as many links. Messages take the shortest
/// route, which has one link between groups; those of pairs that make a detour go to a third group
/// first (Valiant 1982). Which group, and which of several links or spines, is a hash of sender and
/// receiver, so messages of a pair always take the same route.
class DragonflySwitches final : public Switches {
  public:
    explicit DragonflySwitches(const Dragonfly& dragonfly)
        : fly_(dragonfly),
          switches_(fly_.leaves + fly_.spines),
          first_global_(fly_.groups * switches_ * switches_) {}

    [[nodiscard]] std::uint32_t links() const override {
        return first_global_ + fly_.groups * fly_.groups * fly_.global;
    }
    [[nodiscard]] std::uint32_t lanes(Link link) const override {
        return link < first_global_ ? fly_.local : 1;
    }
    [[nodiscard]] std::uint32_t diameter() const override {
        const bool plus = fly_.spines > 0;
        if (fly_.groups == 1) return plus ? 2 : 1;
        return fly_.detour == 0 ? 3 : plus ? 6 : 5;
    }
    void route(std::uint32_t from, std::uint32_t to, std::vector<Link>& links) const override;

  private:
    /// A switch, by its number in its group.
    struct Switch {
        std::uint32_t group;
        std::uint32_t number;
    };
    [[nodiscard]] Switch leaf(std::uint32_t node) const {
        const std::uint32_t number = node / fly_.below;
        return {number / fly_.leaves, number % fly_.leaves};
    }
    /// The switch of a group from which link `number` to another group goes.
    [[nodiscard]] std::uint32_t gate(std::uint32_t group, std::uint32_t number) const {
        const std::uint64_t place = std::uint64_t{group} * fly_.global + number;
        return static_cast<std::uint32_t>(fly_.spines > 0 ? fly_.leaves + place % fly_.spines
                                                          : place % fly_.leaves);
    }
    /// Goes from a switch to another one of its group; `choice` chooses a spine between two leaves.
    void go(Switch& at, std::uint32_t number, std::uint64_t choice, std::vector<Link>& links) const;
    /// Goes to another group.
    void leave(Switch& at, std::uint32_t group, std::uint64_t choice,
               std::vector<Link>& links) const;

    Dragonfly fly_;
    std::uint32_t switches_;  ///< of a group
    Link first_global_;
};

}  // namespace lapwing::simulate
