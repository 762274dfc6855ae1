#pragma once

#include <optional>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// What a wrong estimate of the computation does to a plan in one direction.
struct Misestimate {
    /// The least error, a multiple of a tenth of the true computation, at which the answer is
    /// another one; empty where none of those tried is.
    std::optional<double> changes;
    /// The same at which the answer costs more than a per cent of the blocking run.
    std::optional<double> costs;
    double worst = 0;  ///< the greatest loss of all those tried, a share of the blocking run
};

/// How much depends on the inputs of a plan (Iancu and Strohmaier 2007, section 4, table 2). All
/// that is lost is a share of the blocking run, by what chose our plan: a closed form, or the
/// engine, unless one of the two plans that are compared is too long for it (100,000 messages of
/// all ranks), which the rank that stands for all then judges both.
struct Sensitivity {
    Misestimate over;   ///< from 1.1 to 4 times the computation
    Misestimate under;  ///< from 0.9 of the computation to a tenth
    /// Lost against the best of all equal messages in powers of two, as many as can be judged.
    double model = 0;
    /// Lost by the plan for as much communication-bound as this is computation-bound, or the other
    /// way round: for the computation that is to communication as communication is to the true one.
    double misdiagnosed = 0;
};

/// Of the plan by `method`. Throws as `plan` does.
[[nodiscard]] Sensitivity sensitivity(const Profile& profile, const Workload& workload,
                                      Method method = Method::lapwing);

}  // namespace lapwing
