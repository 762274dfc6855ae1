#pragma once

#include <bit>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// Who exchanges with whom in a Bine tree or butterfly of 2^`levels` cores (De Sensi, Pasqualoni,
/// Piarulli et al., "Bine Trees: Enhancing Collective Operations by Optimizing Communication
/// Locality", SC 2025). Numbers are negabinary, of base -2. The partners of step s are |1 - 2 + 4 -
/// … (-2)^s| apart around the ring. That is a third less than the 2^s and more of a binomial tree.
class Bine {
  public:
    explicit Bine(std::uint32_t levels) : levels_(levels), below_((Rank{1} << levels) - 1) {}

    [[nodiscard]] std::uint32_t levels() const { return levels_; }
    /// The partner of `core` in step `step`: the number with its lowest `step` + 1 digits inverted,
    /// of a core in whose number these are equal.
    [[nodiscard]] Rank partner(Rank core, std::uint32_t step) const {
        const Rank distance = number((Rank{2} << step) - 1);
        return (core % 2 == 0 ? core + distance : core - distance) & below_;
    }
    /// The step in which `core`, not 0, has its parent in the tree of root 0 as partner. It is one
    /// less than the number of equal digits at the end of its number.
    [[nodiscard]] std::uint32_t step_of_parent(Rank core) const {
        const Rank own = digits(core);
        const int equal = own % 2 == 0 ? std::countr_zero(own) : std::countr_one(own);
        return static_cast<std::uint32_t>(equal) < levels_ ? static_cast<std::uint32_t>(equal) - 1
                                                           : levels_ - 1;
    }
    /// The cores with which `core` has exchanged in steps 0 to `steps` - 1, directly or through
    /// others, itself included. They are 2^`steps` consecutive ones, cyclically, of which this is
    /// the first.
    [[nodiscard]] Rank first_near(Rank core, std::uint32_t steps) const {
        const Rank before = (core % 2 == 0 ? negative : ~negative) & ((Rank{1} << steps) - 1);
        return (core - before) & below_;
    }
    /// The position of `core` in the order in which cores that exchange in steps `s`, s + 1, … are
    /// consecutive, for each s: ν in the paper.
    [[nodiscard]] Rank position(Rank core) const {
        const Rank own = digits(core % 2 == 0 ? 0 - core : core);
        return reversed(own ^ (own >> 1));
    }
    /// The core at a position.
    [[nodiscard]] Rank core_at(Rank position) const {
        Rank own = reversed(position);
        for (std::uint32_t shift = 1; shift < levels_; shift *= 2) own ^= own >> shift;
        const Rank core = number(own);
        return (own % 2 == 0 ? 0 - core : core) & below_;
    }

  private:
    static constexpr Rank negative = 0xAAAAAAAA;  ///< the digits that stand for negative powers

    /// The last digits of a number in base -2, and the number, modulo 2^`levels`.
    [[nodiscard]] Rank digits(Rank number) const {
        return ((number + negative) ^ negative) & below_;
    }
    [[nodiscard]] static Rank number(Rank digits) { return (digits ^ negative) - negative; }
    /// The last `levels` bits in reverse order.
    [[nodiscard]] Rank reversed(Rank bits) const {
        Rank result = 0;
        for (std::uint32_t i = 0; i < levels_; ++i) result |= (bits >> i & 1U) << (levels_ - 1 - i);
        return result;
    }

    std::uint32_t levels_;
    Rank below_;  ///< 2^`levels` - 1
};

}  // namespace lapwing::simulate
