#pragma once

#include <optional>

#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/plan/schedule.hpp"
#include "lapwing/plan/stream_player.hpp"

namespace lapwing {

/// Says how long plans take for a workload that may be another than the one they were made for, as
/// the planner says it of what it chooses from. Plans that are compared need one judge: where the
/// planner's choice is the engine's that is the engine, if it can play both.
class Evaluation {
  public:
    /// `flow`: of the workload.  `most`: messages, of all ranks together, that the engine plays for
    /// one plan.
    Evaluation(const Profile& profile, const Workload& workload, const Flow& flow, double most);

    /// Whether the engine judges `way`: the planner asks it about this workload, and it is not too
    /// long.
    [[nodiscard]] bool plays(const Plan& way) const;
    /// Seconds that the messages, window and order of `way` take, the same messages with each peer:
    /// by the engine where it `plays` that, or by closed form and the rank that stands for all.
    [[nodiscard]] double seconds(const Plan& way, bool by_engine) const;

  private:
    const Profile& profile_;
    const Workload& workload_;
    const Flow& flow_;
    double most_;
    double stalled_;
    std::optional<StreamPlayer> stream_;  ///< where there is a closed form
    std::optional<Rehearsal> rehearsal_;  ///< where the planner asks the engine
};

}  // namespace lapwing
