#include "lapwing/plan/sensitivity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"

using lapwing::Candidate;
using lapwing::Method;
using lapwing::Misestimate;
using lapwing::Pattern;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;

namespace {

/// A machine of which exposed time was measured beside as much computation as wire, and beside half
/// of it.
Profile measured_at_half_too() {
    Profile profile;
    profile.loggp = {.L = 2e-6, .o_s = 1e-6, .o_r = 1e-6, .g = 1e-6, .G = 1e-9};
    profile.progress = lapwing::test::advancing(
        {.sizes = {65536}, .without_polling = {1}, .with_polling = {1}, .window = {2}}, 0);
    const std::vector<double> exposed = {3e-6, 3.33e-6, 4e-6, 5.33e-6, 8e-6};
    for (const double computation : {1.0, 0.5})
        profile.progress.exposed_time.push_back({.traffic = lapwing::Traffic::both,
                                                 .computation = computation,
                                                 .independent = false,
                                                 .sizes = {4096, 8192, 16384, 32768, 65536},
                                                 .exposed = exposed,
                                                 .exposed_polled = exposed,
                                                 .window = {2, 2, 2, 2, 2}});
    return profile;
}

/// What estimates from `first` to `last` tenths of the computation do to the plan of
/// `plan(profile, workload)`, by the costs of the true computation.
Misestimate misestimated(const Profile& profile, const Workload& workload, int first, int last) {
    const Plan right = plan(profile, workload);
    const auto costs =
        workload_costs(profile, right.workload, lapwing::MessageTransport::two_sided);
    const lapwing::Evaluator judge(costs.computing, 1e5);
    REQUIRE(judge.uses_engine(right));
    const double seconds = judge.seconds(right, true);
    // What was planned is what is judged.
    CHECK(seconds == Approx(right.predicted));
    Misestimate result;
    const int step = first < last ? 1 : -1;
    for (int tenths = first; tenths != last + step; tenths += step) {
        Workload estimate = workload;
        estimate.compute *= tenths / 10.0;
        const Plan wrong = plan(profile, estimate);
        if (static_cast<const Candidate&>(wrong) == right) continue;
        const double error = std::abs(tenths - 10) / 10.0;
        const double loss = (judge.seconds(wrong, true) - seconds) / right.blocking;
        if (!result.changes) result.changes = error;
        if (!result.costs && loss > 0.01) result.costs = error;
        result.worst = std::max(result.worst, loss);
    }
    return result;
}

}  // namespace

TEST_CASE("a wrong estimate changes the plan before it costs", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto method = GENERATE(Method::lapwing, Method::paper);
    const auto found =
        lapwing::sensitivity(profile, {.volume = 1 << 20, .compute = 0.6e-3, .grain = 8}, method);
    for (const auto& estimate : {found.over, found.under}) {
        // The paper's discrete search may answer the same whatever the estimate.
        if (method == Method::lapwing) CHECK(estimate.changes);
        if (estimate.costs) CHECK(*estimate.costs >= estimate.changes.value());
        CHECK(estimate.costs.has_value() == (estimate.worst > 0.01));
    }
    CHECK(found.misdiagnosed >= 0);
    // Equal messages are among what ours is compared with.
    if (method == Method::lapwing) CHECK(found.model <= 0.005);
}

TEST_CASE("an all-to-all is judged by the engine that chose its plan", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto found = lapwing::sensitivity(profile, {.volume = 1 << 15,
                                                      .compute = 2e-5,
                                                      .grain = 8,
                                                      .pattern = lapwing::Pattern::alltoall,
                                                      .ranks = 3});
    // No equal messages are better, but where the search ended before them.
    CHECK(found.model <= 0.01);
    for (const auto& estimate : {found.over, found.under}) {
        if (estimate.costs) CHECK(*estimate.costs >= estimate.changes.value());
        CHECK(estimate.costs.has_value() == (estimate.worst > 0.01));
    }
}

TEST_CASE("without computation there is nothing to estimate", "[plan]") {
    const auto found = lapwing::sensitivity(lapwing::test::infiniband(), {.volume = 8192});
    CHECK_FALSE(found.over.changes);
    CHECK_FALSE(found.under.costs);
    CHECK(found.misdiagnosed == 0);
}

TEST_CASE("the plan that is perturbed is the workload's, where exposed time was measured",
          "[plan]") {
    const Profile profile = measured_at_half_too();
    const double ratio = GENERATE(0.2, 0.6, 1.0);
    const Workload workload{.volume = 1 << 20,
                            .compute = ratio * (1 << 20) * profile.loggp.G,
                            .grain = 8,
                            .pattern = Pattern::alltoall,
                            .ranks = 2};
    const auto found = lapwing::sensitivity(profile, workload);
    INFO("ratio " << ratio << " model " << found.model);
    const auto same = [](const Misestimate& a, const Misestimate& b) {
        INFO(a.changes.value_or(0) << ' ' << b.changes.value_or(0) << ", " << a.costs.value_or(0)
                                   << ' ' << b.costs.value_or(0));
        CHECK(a.changes == b.changes);
        CHECK(a.costs == b.costs);
        CHECK(a.worst == Approx(b.worst).margin(1e-9));
    };
    same(found.over, misestimated(profile, workload, 11, 40));
    same(found.under, misestimated(profile, workload, 9, 1));
    // No equal messages are better; but where there is more computation, more of them in flight
    // than were measured would be.
    CHECK(found.model <= (ratio < 0.5 ? 0.01 : 0.05));
    CHECK(found.misdiagnosed >= 0);
}
