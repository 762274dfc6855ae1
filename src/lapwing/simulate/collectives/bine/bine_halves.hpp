#pragma once

#include "lapwing/simulate/collectives/bine/bine_butterfly.hpp"

namespace lapwing::simulate {

/// The data on the way when the butterfly reduces and scatters the data of a rank, or gathers them.
/// A rank has a block for each core, at its Bine position.
class BineHalves : public BineButterfly {
  protected:
    using BineButterfly::BineButterfly;

    /// The half that a core sends in `step` while data are reduced: that of its partner's group.
    [[nodiscard]] Span reduced(Rank core, std::uint32_t step) const {
        return {first_position(bine().partner(core, step), step + 1), cores().count() >> (step + 1),
                Effect::combine};
    }
    /// The half that it sends in `step` while data are gathered: that of its own group.
    [[nodiscard]] Span gathered(Rank core, std::uint32_t step) const {
        return {first_position(core, step + 1), cores().count() >> (step + 1), Effect::replace};
    }
};

}  // namespace lapwing::simulate
