#include "lapwing/plan/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "lapwing/plan/evaluate.hpp"
#include "lapwing/plan/flow.hpp"
#include "lapwing/plan/one_sided.hpp"
#include "lapwing/plan/paper.hpp"

namespace lapwing {
namespace {

constexpr double costly = 0.01;

/// Plans for estimates, and what they take for the true computation.
class Estimates {
  public:
    Estimates(const Profile& profile, const Workload& workload, Method method)
        : profile_(seen_by(profile, workload.transport, workload.direction)),
          workload_(of_messages(complete(workload))),
          method_(method),
          flow_(flow(profile_, workload_)),
          right_(plan(profile_, workload_, method)),
          seconds_(take(right_)) {}

    /// Tries `tenths` tenths of the true computation.
    void try_tenths(int tenths, Misestimate& result) const {
        const double error = std::abs(tenths - 10) / 10.0;
        const Plan wrong = plan_for(workload_.compute * tenths / 10);
        if (!result.changes && !same(wrong, right_)) result.changes = error;
        const double loss = lost(take(wrong));
        if (!result.costs && loss > costly) result.costs = error;
        result.worst = std::max(result.worst, loss);
    }
    [[nodiscard]] double misdiagnosed() const {
        if (workload_.compute <= 0) return 0;
        const double wire = flow_.costs.G * flow_.volume;
        return std::max(0.0, lost(take(plan_for(wire * wire / workload_.compute))));
    }
    [[nodiscard]] double model() const {
        double best = seconds_;
        Plan way = right_;
        for (std::uint64_t size = workload_.grain; size <= flow_.own; size *= 2) {
            if ((flow_.own + size - 1) / size > most_messages) continue;
            way.messages = Messages::uniform(flow_.own, size, workload_.grain);
            for (int burst = 1; burst <= longest_burst; burst *= 2) {
                way.window = 2 * burst;
                best = std::min(best, take(way));
            }
        }
        return (seconds_ - best) / right_.blocking;
    }

  private:
    /// The profile is as its messages see it.
    static Workload of_messages(Workload workload) {
        workload.transport = MessageTransport::two_sided;
        return workload;
    }
    [[nodiscard]] Plan plan_for(double compute) const {
        Workload other = workload_;
        other.compute = compute;
        return plan(profile_, other, method_);
    }
    [[nodiscard]] double take(const Plan& way) const {
        return evaluate(profile_, workload_, flow_, way);
    }
    [[nodiscard]] double lost(double seconds) const {
        return (seconds - seconds_) / right_.blocking;
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
    double seconds_;
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
