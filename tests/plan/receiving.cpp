#include "lapwing/plan/receiving.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/one_sided.hpp"
#include "lapwing/plan/one_way.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/plan/stream_player.hpp"
#include "lapwing/profile/table.hpp"
#include "support/machine.hpp"

using lapwing::Dependence;
using lapwing::Direction;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::receiving;
using lapwing::Workload;

namespace {

constexpr double wire_gap = 1e-9;

/// What was measured of its messages by themselves leads elsewhere: they wait for their receive,
/// and take the processor from the computation. Beyond a computation a byte of them costs 3, 0.5,
/// 0.3 and 0.9 ns.
Profile receiver() {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1e-6, .o_r = 1e-6, .g = 1e-6, .G = wire_gap};
    profile.overhead = {.sizes = {8, 1000, 4000, 10000, 100000},
                        .bursts = {1},
                        .send = {{1e-6}, {1e-6}, {1e-6}, {1e-6}, {1e-6}},
                        .receive = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6}};
    profile.progress = lapwing::test::advancing({.sizes = {1000, 100000},
                                                 .without_polling = {0.1, 0.1},
                                                 .with_polling = {0.1, 0.1},
                                                 .window = {1, 1}},
                                                2e-5);
    profile.progress.exposed_time = {{.traffic = lapwing::Traffic::receive,
                                      .computation = 1.5,
                                      .sizes = {1000, 4000, 10000, 100000},
                                      .exposed = {3e-6, 2e-6, 3e-6, 90e-6},
                                      .exposed_polled = {3e-6, 2e-6, 3e-6, 90e-6},
                                      .window = {8, 8, 9, 10}}};
    profile.progress.O_r = 0.3 * wire_gap;
    profile.protocol.emplace().switches = {1000};
    profile.protocol->switch_costs = {5e-6};
    profile.protocol->eager = 1000;
    return profile;
}

Workload stream(double ratio) {
    return {.volume = 200000, .compute = ratio * wire_gap * 200000, .grain = 8};
}

}  // namespace

TEST_CASE("a message costs a rank that computes what it was seen to expose", "[plan]") {
    const Profile seen = receiving(receiver());
    CHECK(receive_overhead(seen, 1000) == Approx(3e-6));
    CHECK(receive_overhead(seen, 4000) == Approx(2e-6));
    CHECK(receive_overhead(seen, 10000) == Approx(3e-6));
    // Longer ones as much a byte; shorter ones what the shortest did.
    CHECK(receive_overhead(seen, 100000) == Approx(30e-6));
    CHECK(receive_overhead(seen, 8) == Approx(3e-6));
    CHECK(seen.loggp.o_r == Approx(3e-6));
    CHECK(seen.progress.O_r == receiver().progress.O_r);
    CHECK(seen.protocol->switch_costs.front() == 0);
    CHECK(seen.protocol->eager == receiver().protocol->eager);
}

TEST_CASE("where messages were seen to be polled to advantage that counts", "[plan]") {
    Profile profile = receiver();
    profile.progress.exposed_time.front().exposed_polled = {3e-6, 2e-6, 2.9e-6, 4e-6};
    CHECK(receive_overhead(receiving(profile), 100000) == Approx(4e-6));
}

TEST_CASE("what was seen counts for ranks that compute and only receive", "[plan]") {
    const Profile profile = receiver();
    const auto counts = [&](const Workload& workload, bool two_way) {
        return seen_computing(profile, workload, two_way) == &profile.progress.exposed_time.front();
    };
    Workload workload = stream(1);
    CHECK(counts(workload, false));
    CHECK_FALSE(counts(workload, true));
    workload.dependence = Dependence::loose;
    CHECK_FALSE(counts(workload, false));
    workload = stream(1);
    workload.direction = Direction::produce;
    CHECK_FALSE(counts(workload, false));
    CHECK(seen_computing(Profile{}, stream(1), false) == nullptr);
    // It was measured of two-sided messages.
    Profile puts = lapwing::test::full_profile();
    puts.operations.front().name = "rput";
    puts.operations.front().transport = "rma";
    puts = seen_by(puts, lapwing::MessageTransport::put, Direction::fetch);
    CHECK(puts.progress.exposed_time.empty());
}

TEST_CASE("a stream goes by what its messages were seen to cost beyond the computation", "[plan]") {
    Profile profile = receiver();
    profile.progress.O_r = 0;
    CHECK(has_closed_form(profile, stream(1.5)));
    const Plan plan = lapwing::plan(profile, stream(1.5));
    CHECK(plan.messages.runs().back().size <= 10000);
    CHECK(plan.window == 9);
    // One after another they are sent, carried, and taken up as they were seen to be.
    const std::vector<std::uint64_t> sizes = {1000, 4000, 10000};
    double sent = 0;
    double there = 0;
    double consumed = 0;
    for (const std::uint64_t size : plan.messages) {
        const auto bytes = static_cast<double>(size);
        sent += 1e-6;
        there = std::max(there, sent + 5e-6) + wire_gap * bytes;
        consumed = std::max(consumed, there) +
                   lapwing::interpolate(sizes, {3e-6, 2e-6, 3e-6}, bytes) + 1.5 * wire_gap * bytes;
    }
    CHECK(plan.predicted == Approx(consumed).epsilon(1e-9));
    // No later than 20 messages of what is exposed least.
    CHECK(plan.predicted < 300e-6 + 20 * 3e-6 + 1e-6 + 5e-6 + 10e-6);
    // What the system takes prolongs the computation.
    Profile prolonged = profile;
    prolonged.progress.O_r = 0.3 * wire_gap;
    CHECK(lapwing::plan(prolonged, stream(1.5)).predicted ==
          Approx(consumed + 0.3 * wire_gap * 200000).epsilon(0.01));
    // Who does not overlap does not compute meanwhile.
    Profile plain = profile;
    plain.progress.exposed_time.clear();
    CHECK(plan.blocking == Approx(lapwing::plan(plain, stream(1.5)).blocking));
}

TEST_CASE("one message is not overlapped, whatever was seen", "[plan]") {
    const Workload least{.volume = 8, .compute = 1e-6, .grain = 8};
    Profile profile = receiver();
    profile.progress.O_r = 0;
    const Plan plan = lapwing::plan(profile, least);
    CHECK(plan.messages.count() == 1);
    CHECK(plan.predicted == plan.blocking);
    CHECK(plan.runner_up.what != "overlapped");
    CHECK(plan.bound == lapwing::Bound::latency);
}

TEST_CASE("short messages that were seen to cost more than the line says are not planned",
          "[plan]") {
    // The line through all of them has 4000 bytes cost as much as 10000.
    Profile profile = receiver();
    const auto costly = [&](double seconds) {
        profile.progress.exposed_time.front().exposed = {3e-6, seconds, 3e-6, 90e-6};
        profile.progress.exposed_time.front().exposed_polled =
            profile.progress.exposed_time.front().exposed;
        return lapwing::plan(profile, stream(1.5)).messages.runs().front().size;
    };
    CHECK(costly(9e-6) == 10000);
    CHECK(costly(0.5e-6) == 4000);
}
