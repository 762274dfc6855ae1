#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "lapwing/replay/collective_algorithms.hpp"
#include "lapwing/replay/communicators.hpp"
#include "lapwing/simulate/program/call.hpp"

namespace lapwing::replay {

/// A collective that a rank is in: the calls of which it consists, one by one. A step posts its
/// receives, starts its sends, and ends when all have ended.
class CollectiveCall {
  public:
    /// Groups of the messages of a collective: of its steps in turn, for a step may post the
    /// receives of the next one.
    static constexpr std::array<std::uint32_t, 2> groups{1, 2};

    /// None: it is over.
    CollectiveCall() = default;
    /// `communicator` outlives it. `context`: see `Communicator::begin_collective`. `site`: where
    /// it is called.
    CollectiveCall(Parts parts, const Communicator& communicator, std::uint64_t context,
                   std::uint32_t site)
        : parts_(std::move(parts)), communicator_(&communicator), context_(context), site_(site) {
        skip_empty_parts();
    }

    [[nodiscard]] bool over() const { return part_ == parts_.size(); }
    /// The next call of the step, in a group; of kind `wait` where the step has to end first: then
    /// it is the turn of the next step.
    [[nodiscard]] simulate::Call next();

  private:
    [[nodiscard]] const RankSteps& steps() const { return *parts_[part_]; }
    [[nodiscard]] simulate::Call send(std::uint32_t index) const;
    [[nodiscard]] simulate::Call receive(std::uint32_t step, std::uint32_t index) const;
    void end_step(bool ahead);
    void skip_empty_parts();

    Parts parts_;
    const Communicator* communicator_ = nullptr;
    std::uint64_t context_ = 0;
    std::uint32_t site_ = 0;
    std::size_t part_ = 0;
    std::uint32_t step_ = 0;
    std::uint32_t index_ = 0;     ///< of the next call of the step
    bool posted_before_ = false;  ///< the step's receives were posted with those of the one before
};

}  // namespace lapwing::replay
