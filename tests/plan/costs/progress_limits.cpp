#include "lapwing/plan/costs/progress.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "support/machine.hpp"

using lapwing::ExposedTime;
using lapwing::Profile;
using lapwing::ProgressLimits;
using lapwing::Workload;

namespace {

/// A byte takes the wire 1 ns, a message its receiver 1 us and its sender 3.
lapwing::model::Stream costs() {
    lapwing::model::Stream x;
    x.o_s.base = 3e-6;
    x.o_r.base = 1e-6;
    x.G = 1e-9;
    return x;
}

Profile seen() {
    Profile profile;
    profile.loggp.G = 1e-9;
    auto& progress = profile.progress;
    progress = lapwing::test::advancing({.sizes = {1024, 16384, 262144},
                                         .without_polling = {1, 1, 0.9},
                                         .with_polling = {1, 1, 0.95},
                                         .window = {4, 2, 3}},
                                        2e-5);
    // Of a byte 3.9, 0.73 and 1 ns, polled 0.4.
    progress.exposed_time = {{.traffic = lapwing::Traffic::both,
                              .computation = 1,
                              .independent = false,
                              .sizes = {1024, 16384, 262144},
                              .exposed = {4e-6, 12e-6, 262e-6},
                              .exposed_polled = {4e-6, 11e-6, 105e-6},
                              .window = {8, 6, 5}}};
    return profile;
}

ProgressLimits limits(const Profile& profile, bool two_way = false) {
    const Workload workload{.volume = 1 << 20, .compute = 1e-3};
    const double G = profile.loggp.G;
    const ExposedTime* const exposed = measured_exposure(profile.progress, workload, two_way, G);
    return exposed != nullptr
               ? progress_limits(*exposed, exposure_optimum(*exposed, G),
                                 profile.progress.poll_interval)
               : progress_limits(profile.progress, profile.protocol, costs(), two_way);
}

}  // namespace

TEST_CASE("a size is weighed by its overhead and by what it leaves unhidden", "[plan]") {
    // Of a byte: 0.98, 0.06 and 0.004 + 0.1 ns.
    const ProgressLimits one_way = limits(seen());
    CHECK(one_way.largest == 16384);
    CHECK(one_way.unhidden_per_byte == 0);
    CHECK(one_way.window == 2);
    CHECK(one_way.poll_interval == 0);
}

TEST_CASE("ranks that all send, receive and compute go by what was measured both ways", "[plan]") {
    const ProgressLimits polled = limits(seen(), true);
    CHECK(polled.largest == 262144);
    CHECK(polled.unhidden_per_byte == 0);
    CHECK(polled.window == 5);
    CHECK(polled.in_flight == 5 * 262144);
    CHECK(polled.poll_interval == 2e-5);

    Profile no_polls = seen();
    no_polls.progress.exposed_time.front().exposed_polled.back() = 260e-6;
    const ProgressLimits smaller = limits(no_polls, true);
    CHECK(smaller.largest == 16384);
    CHECK(smaller.window == 6);
    CHECK(smaller.poll_interval == 0);
    // Sizes that expose about as much a byte leave the choice to the planner.
    no_polls.progress.exposed_time.front().exposed.back() = 1.04 * 16 * 12e-6;
    CHECK(limits(no_polls, true).largest == 262144);
}

TEST_CASE("what was not measured both ways is taken to be as one way", "[plan]") {
    Profile profile = seen();
    profile.progress.exposed_time.clear();
    // With both overheads 3.9, 0.24 and 0.015 + 0.1 ns.
    const ProgressLimits both = limits(profile, true);
    CHECK(both.largest == 262144);
    CHECK(both.window == 3);
}

TEST_CASE("what waits for its receive has to be worth the handshake", "[plan]") {
    Profile profile = seen();
    profile.progress.without_polling.back() = 0.95;
    // 0.06 and 0.004 + 0.05 ns a byte, and beyond the limit 10 us for 262,144.
    CHECK(limits(profile).largest == 262144);
    auto& protocol = profile.protocol.emplace();
    protocol.switches = {300, 100000};
    protocol.switch_costs = {1e-3, 10e-6};
    CHECK(limits(profile).largest == 262144);
    protocol.eager = 100000;
    CHECK(limits(profile).largest == 16384);
    protocol.switch_costs.back() = -10e-6;
    CHECK(limits(profile).largest == 262144);
}

TEST_CASE("where all advances, or nothing was measured, messages may be of any size", "[plan]") {
    Profile profile = seen();
    profile.progress.without_polling = {1, 0.99, 1};
    CHECK(std::isinf(limits(profile).largest));
    CHECK(limits(profile).unhidden_per_byte == 0);
    CHECK(std::isinf(limits({}).largest));
    CHECK(limits({}).reason == "whether messages advance alone was not measured");
}
