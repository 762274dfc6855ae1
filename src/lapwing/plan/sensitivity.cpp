#include "lapwing/plan/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/evaluation.hpp"
#include "lapwing/plan/exchanging.hpp"
#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/one_sided.hpp"
#include "lapwing/plan/paper.hpp"
#include "lapwing/plan/receiving.hpp"
#include "lapwing/plan/taken.hpp"

namespace lapwing {
namespace {

constexpr double costly = 0.01;

/// Messages, of all ranks, that the engine plays for one plan: more than while planning, for there
/// are estimates whose plan has many.
constexpr double most_judged = 1e5;

/// Plans for estimates, and what they take for the true computation.
class Estimates {
  public:
    Estimates(const Profile& profile, const Workload& workload, Method method)
        : profile_(seen_by(profile, workload.transport, workload.direction)),
          workload_(prolonged(profile_, of_messages(complete(workload)))),
          method_(method),
          flow_(flow(profile_, workload_)),
          right_(plan(profile_, workload_, method)),
          evaluation_(profile_, workload_, flow_, most_judged),
          played_(evaluation_.plays(right_)),
          by_engine_(played_ ? evaluation_.seconds(right_, true) : 0),
          by_rank_(evaluation_.seconds(right_, false)) {}

    /// Tries `tenths` tenths of the true computation.
    void try_tenths(int tenths, Misestimate& result) const {
        const double error = std::abs(tenths - 10) / 10.0;
        const Plan wrong = plan_for(workload_.compute * tenths / 10);
        if (same(wrong, right_)) return;
        if (!result.changes) result.changes = error;
        const double loss = lost(wrong);
        if (!result.costs && loss > costly) result.costs = error;
        result.worst = std::max(result.worst, loss);
    }
    [[nodiscard]] double misdiagnosed() const {
        if (workload_.compute <= 0) return 0;
        const double wire = flow_.costs.G * flow_.volume;
        return std::max(0.0, lost(plan_for(wire * wire / workload_.compute)));
    }
    [[nodiscard]] double model() const {
        double most = 0;
        Plan way = right_;
        for (std::uint64_t size = workload_.grain; size <= flow_.own; size *= 2) {
            if ((flow_.own + size - 1) / size > most_messages) continue;
            way.messages = Messages::uniform(flow_.own, size, workload_.grain);
            for (int burst = 1; burst <= longest_burst; burst *= 2) {
                way.window = 2 * burst;
                // What is too long for the judge of the plan is no part of the comparison.
                if (!played_ || evaluation_.plays(way)) most = std::max(most, -lost(way));
            }
        }
        return most;
    }

  private:
    /// The profile is as its messages see it.
    static Workload of_messages(Workload workload) {
        workload.transport = MessageTransport::two_sided;
        return workload;
    }
    /// What the system takes of the processor is part of the computation here, or of what messages
    /// cost.
    static Workload prolonged(Profile& profile, Workload workload) {
        const Flow costs = flow(profile, workload);
        if (costs.two_way) {
            profile = exchanging(profile, workload);
        } else if (seen_computing(profile, workload, false) != nullptr) {
            profile = receiving(profile);
        }
        workload.compute += taken(profile, workload, costs);
        profile.progress.O_s = profile.progress.O_r = profile.progress.O_both = 0;
        return workload;
    }
    [[nodiscard]] Plan plan_for(double compute) const {
        Workload other = workload_;
        other.compute = compute;
        return plan(profile_, other, method_);
    }
    /// Share of the blocking run that a plan takes longer than the right one, both by one judge.
    [[nodiscard]] double lost(const Plan& way) const {
        const bool by_engine = played_ && evaluation_.plays(way);
        const double right = by_engine ? by_engine_ : by_rank_;
        return (evaluation_.seconds(way, by_engine) - right) / right_.blocking;
    }
    static bool same(const Plan& a, const Plan& b) {
        return a.messages == b.messages && a.burst == b.burst && a.window == b.window &&
               a.order == b.order;
    }

    Profile profile_;
    Workload workload_;
    Method method_;
    Flow flow_;
    Plan right_;
    Evaluation evaluation_;
    bool played_;       ///< the right plan, by the engine
    double by_engine_;  ///< seconds of it, where it is played
    double by_rank_;    ///< the same by closed form, or the rank that stands for all
};

}  // namespace

Sensitivity sensitivity(const Profile& profile, const Workload& workload, Method method) {
    const Estimates estimates(profile, workload, method);
    Sensitivity result;
    for (int tenths = 11; tenths <= 40; ++tenths) estimates.try_tenths(tenths, result.over);
    for (int tenths = 9; tenths >= 1; --tenths) estimates.try_tenths(tenths, result.under);
    result.model = estimates.model();
    result.misdiagnosed = estimates.misdiagnosed();
    return result;
}

}  // namespace lapwing
