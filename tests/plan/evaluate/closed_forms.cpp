#include "lapwing/plan/evaluate/closed_forms.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>

#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"

using lapwing::Dependence;
using lapwing::Direction;
using lapwing::Messages;
using lapwing::Pattern;
using lapwing::Workload;

namespace {

Workload halo(std::uint64_t bytes) {
    return lapwing::complete({.volume = 2 * bytes,
                              .compute = 10e-6,
                              .grain = 8,
                              .pattern = Pattern::halo,
                              .direction = Direction::fetch,
                              .dependence = Dependence::loose,
                              .ranks = 8,
                              .peers = 2});
}

}  // namespace

TEST_CASE("what waits for nothing is one message with each peer", "[plan]") {
    const auto plan = lapwing::plan(lapwing::test::infiniband(), halo(65536));
    CHECK(plan.messages == Messages::uniform(65536, 65536, 8));
    CHECK(plan.window == 2);
}

TEST_CASE("a rank takes up what has arrived while it waits for the rest", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto [L, o_s, o_r, g, G] = profile.loggp;
    const auto seconds = [&](std::uint64_t bytes, double compute) {
        Workload workload = halo(bytes);
        workload.compute = compute;
        const auto costs =
            lapwing::workload_costs(profile, workload, lapwing::MessageTransport::two_sided);
        return independent_seconds(costs.computing, Messages::uniform(bytes, bytes, 8), 0);
    };
    // Long ones: the first is taken up while the second is on the wire.
    CHECK(seconds(65536, 0) == Approx(o_s + L + 2 * 65536 * G + o_r));
    // Short ones: they are there one after another, and taken up one after another.
    CHECK(seconds(8, 0) == Approx(L + 8 * G + std::max(2 * o_s + o_r, o_s + 2 * o_r)));
    // Both are there when everything is computed.
    CHECK(seconds(8, 1e-3) == Approx(2 * o_s + 1e-3 + 2 * o_r));
}

TEST_CASE("where the wire is faster with other messages it is several", "[plan]") {
    auto profile = lapwing::test::infiniband();
    auto& table = profile.bandwidth;
    table.sizes = {64, 8192, 16384, 65536, 131072};
    table.unidirectional = {40e6, 750e6, 300e6, 750e6, 750e6};
    table.bidirectional = table.unidirectional;
    const auto workload = halo(40000);
    const auto plan = lapwing::plan(profile, workload);
    CHECK(plan.messages == Messages::uniform(40000, 8192, 8));
    const auto costs =
        lapwing::workload_costs(profile, plan.workload, lapwing::MessageTransport::two_sided);
    const auto play = [&](std::uint64_t size) {
        return independent_seconds(costs.computing, Messages::uniform(40000, size, 8), 0);
    };
    CHECK(plan.predicted == Approx(play(8192)));
    // Of each size its own pace: four of them and the rest of it, and two and the rest of it.
    CHECK(play(16384) > 2 * 2 * 16384 / 300e6);
    CHECK(play(8192) < play(16384) / 2);
    CHECK(play(8192) < play(40000));
}
