#pragma once

#include <optional>

#include "lapwing/plan/plan.hpp"

namespace lapwing {

/// What a wrong estimate of the computation, in one direction, does to a plan.
struct Misestimate {
    /// The least error, a multiple of a tenth of the true computation, at which the plan changes;
    /// empty where it never does.
    std::optional<double> changes;
    /// The least at which the changed plan loses more than a per cent of the blocking time.
    std::optional<double> costs;
    double worst = 0;  ///< the greatest loss of all errors tried
};

/// How much depends on the inputs of a plan (Iancu and Strohmaier 2007, section 4, table 2).
///
/// Losses are fractions of the blocking time. The method that chose our plan (closed form or
/// engine) evaluates both. If either is too long for the engine (over 100,000 messages of all
/// ranks), one representative rank stands for all.
struct Sensitivity {
    Misestimate over;   ///< from 1.1 to 4 times the computation
    Misestimate under;  ///< from 0.9 of the computation to a tenth
    /// Lost against the best of all equal messages in powers of two, as many as can be judged.
    double model = 0;
    /// Lost by the plan for the inverse ratio: a workload as far communication-bound as this one is
    /// computation-bound, or the other way round.
    double misdiagnosed = 0;
};

/// Of the plan by `method`. A workload that leaves its transport open is planned two-sided. Throws
/// as `plan` does.
[[nodiscard]] Sensitivity sensitivity(const Profile& profile, const Workload& workload,
                                      Method method = Method::lapwing);

}  // namespace lapwing
