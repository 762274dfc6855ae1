#include "lapwing/plan/costs/rank_costs.hpp"

namespace lapwing {

RankCosts RankCosts::with_computation(double factor) const {
    RankCosts other = *this;
    other.workload.compute *= factor;
    other.line.t *= factor;
    return other;
}

}  // namespace lapwing
