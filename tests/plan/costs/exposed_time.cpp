#include "lapwing/plan/costs/progress.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/table.hpp"
#include "support/machine.hpp"

using lapwing::Dependence;
using lapwing::Direction;
using lapwing::ExposedTime;
using lapwing::LinkCosts;
using lapwing::MessageTransport;
using lapwing::Pattern;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;
using lapwing::WorkloadCosts;

namespace {

/// Of a byte 2, 0.5, 0.51 and 1 ns.
ExposedTime exposure(double computation = 1, bool independent = false) {
    return {.traffic = lapwing::Traffic::both,
            .computation = computation,
            .independent = independent,
            .sizes = {1000, 10000, 20000, 100000},
            .exposed = {2e-6, 5e-6, 10.2e-6, 100e-6},
            .exposed_polled = {2e-6, 5.1e-6, 10.2e-6, 60e-6},
            .window = {4, 2, 3, 8}};
}

/// What was measured of its messages by themselves leads elsewhere.
Profile measured() {
    Profile profile = lapwing::test::infiniband();
    profile.overhead = {.sizes = {8, 1000, 100000},
                        .bursts = {1, 8},
                        .send = {{1.5e-6, 1.4e-6}, {6e-6, 5e-6}, {30e-6, 29e-6}},
                        .receive = {1e-6, 3e-6, 20e-6}};
    auto& exposed = profile.progress.exposed_time;
    exposed = {exposure(), exposure(0.5), exposure(1, true)};
    exposed[1].exposed = {3e-6, 7e-6, 9.8e-6, 110e-6};
    exposed[2].exposed = {4e-6, 6e-6, 12.2e-6, 40e-6};
    profile.progress.O_both = 0.3 * profile.loggp.G;
    profile.latency = {
        .sizes = {8, 1000}, .half_round_trip = {7e-6, 9e-6}, .bandwidth = {1e6, 100e6}};
    profile.protocol.emplace().switches = {10000};
    profile.protocol->switch_costs = {5e-6};
    profile.protocol->outstanding = 1 << 22;
    return profile;
}

double message(const LinkCosts& link, double bytes) {
    return send_overhead(link, bytes, 1) + receive_overhead(link, bytes);
}

Workload exchange(Pattern pattern = Pattern::alltoall) {
    return {.volume = 1 << 20,
            .compute = (1 << 20) / 750e6,
            .grain = 8,
            .pattern = pattern,
            .dependence = pattern == Pattern::halo ? Dependence::loose : Dependence::tight,
            .ranks = 2};
}

WorkloadCosts costs_of(const Profile& profile, const Workload& workload) {
    return workload_costs(profile, complete(workload), MessageTransport::two_sided);
}

/// What messages cost ranks that compute.
LinkCosts exchanging(const Profile& profile, const Workload& workload) {
    return *costs_of(profile, workload).computing.link;
}

/// Seconds that the system takes of the computation.
double stolen(const WorkloadCosts& costs) {
    return costs.computing.workload.compute - costs.idle.workload.compute;
}

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

LinkCosts receiving(const Profile& profile) {
    const ExposedTime& exposed = profile.progress.exposed_time.front();
    return receiving_costs(profile, exposed, exposure_optimum(exposed, profile.loggp.G));
}

/// Whether a stream has a closed form.
bool closed_form(const Profile& profile, const Workload& workload) {
    const WorkloadCosts costs = costs_of(profile, workload);
    return lapwing::Evaluator(costs.computing, 1e4).stream() != nullptr;
}

}  // namespace

TEST_CASE("of sizes that expose about as little a byte the middle one is taken", "[plan]") {
    // All but the last are alike: there something else than the messages was seen.
    const ExposedTime flat{.traffic = lapwing::Traffic::both,
                           .computation = 1,
                           .independent = false,
                           .sizes = {1000, 2000, 4000, 8000, 16000, 32000},
                           .exposed = {9.1e-6, 18e-6, 36.8e-6, 72e-6, 147e-6, 580e-6},
                           .exposed_polled = {9.1e-6, 18e-6, 36.8e-6, 72e-6, 147e-6, 580e-6},
                           .window = {2, 2, 2, 2, 2, 2}};
    CHECK(exposure_optimum(flat, 20e-9).at == 2);
    // Of two the longer: it can be cut.
    const auto least = exposure_optimum(exposure(), 1e-9);
    CHECK(least.at == 2);
    CHECK_FALSE(least.polled);
    CHECK(least.per_byte == Approx(0.51e-9));
}

TEST_CASE("polls have to save a quarter of what they hide", "[plan]") {
    ExposedTime seen = exposure();
    seen.exposed_polled.back() = 20e-6;
    CHECK(exposure_optimum(seen, 1e-9).at == 3);
    CHECK(exposure_optimum(seen, 1e-9).polled);
    CHECK(exposure_optimum(seen, 1e-9).per_byte == Approx(0.2e-9));
    // Of a wire that is three times as slow 0.3 ns are less than that.
    CHECK(exposure_optimum(seen, 3e-9).at == 2);
    CHECK_FALSE(exposure_optimum(seen, 3e-9).polled);
}

TEST_CASE("a message costs ranks that exchange what it was seen to expose", "[plan]") {
    const LinkCosts seen = exchanging(measured(), complete(exchange()));
    CHECK(message(seen, 1000) == Approx(2e-6));
    CHECK(message(seen, 10000) == Approx(5e-6));
    CHECK(message(seen, 20000) == Approx(10.2e-6));
    // Longer ones as much a byte: they are not sent as they were measured.
    CHECK(message(seen, 100000) == Approx(51e-6));
    CHECK(seen.loggp.o_s + seen.loggp.o_r == Approx(message(seen, 8)));
    CHECK(message(seen, 8) <= message(measured(), 8));
    CHECK(message(seen, 8) <= message(seen, 1000));
}

TEST_CASE("with less computation a message exposes what it did with half as much", "[plan]") {
    const Workload whole = exchange();
    for (const double share : {0.1, 0.5, 0.7, 0.72, 1.0, 4.0}) {
        Workload some = complete(whole);
        some.compute = share * measured().loggp.G * static_cast<double>(some.volume);
        const LinkCosts seen = exchanging(measured(), some);
        INFO(share);
        CHECK(message(seen, 1000) == Approx(share < 0.71 ? 3e-6 : 2e-6));
        some.pattern = Pattern::halo;
        some.dependence = Dependence::loose;
        CHECK(message(exchanging(measured(), some), 1000) == Approx(4e-6));
    }
    Profile earlier = measured();
    earlier.progress.exposed_time.erase(earlier.progress.exposed_time.begin() + 1);
    Workload little = complete(whole);
    little.compute /= 100;
    CHECK(message(exchanging(earlier, little), 1000) == Approx(2e-6));
}

TEST_CASE("a wire is as fast as exchanges saw it", "[plan]") {
    Profile profile = measured();
    const double G = profile.loggp.G;
    profile.bandwidth = {.sizes = {1 << 20}, .unidirectional = {1 / G}, .bidirectional = {2 / G}};
    profile.patterns = {{.pattern = "alltoall",
                         .processes = {2},
                         .sizes = {10000},
                         .slowest = {{G}},
                         .fastest = {{G}},
                         .fairness = {{1}}}};
    Workload half = complete(exchange());
    half.compute /= 2;
    // A byte of 20000 takes half of the wire's time for its computation, and 0.3 of it beside.
    auto& exposed = profile.progress.exposed_time[1].exposed;
    exposed[2] = 0.3 * G * 20000;
    const LinkCosts faster = exchanging(profile, half);
    CHECK(faster.loggp.G == Approx(0.8 * G));
    CHECK(faster.bandwidth.unidirectional.front() == Approx(1 / (0.8 * G)));
    CHECK(faster.bandwidth.bidirectional.front() == Approx(2 / (0.8 * G)));
    CHECK(costs_of(profile, half).computing.line.G == Approx(0.8 * G));
    // What takes longer says nothing of the wire: all of it may be overhead.
    exposed = {2e-6, 0.6 * G * 10000, 0.6 * G * 20000, 0.6 * G * 100000};
    CHECK(exchanging(profile, half).loggp.G == G);
    CHECK(exchanging(profile, complete(exchange())).loggp.G == G);
}

TEST_CASE("where nothing is awaited before the end, a message exposes what it did so", "[plan]") {
    const LinkCosts seen = exchanging(measured(), complete(exchange(Pattern::halo)));
    CHECK(message(seen, 1000) == Approx(4e-6));
    CHECK(message(seen, 10000) == Approx(6e-6));
    CHECK(message(seen, 100000) == Approx(40e-6));
    CHECK(plan(measured(), exchange(Pattern::halo)).messages.runs().front().size == 100000);
}

TEST_CASE("what is in an exposure is not counted again", "[plan]") {
    const Profile profile = measured();
    const WorkloadCosts costs = costs_of(profile, exchange());
    CHECK(costs.computing.workload.compute == costs.idle.workload.compute);
    const LinkCosts& seen = *costs.computing.link;
    CHECK_FALSE(seen.latency);
    CHECK(seen.protocol->switches.empty());
    CHECK(seen.protocol->outstanding == measured().protocol->outstanding);
    CHECK(seen.loggp.L == measured().loggp.L);
    CHECK(seen.loggp.G == measured().loggp.G);
}

TEST_CASE("a profile that does not know what messages expose stays as it is", "[plan]") {
    Profile profile = measured();
    profile.progress.exposed_time.clear();
    const WorkloadCosts costs = costs_of(profile, exchange());
    CHECK(stolen(costs) ==
          Approx(lapwing::model::progress_overhead(exchange().compute, 1 << 20, profile.loggp.G,
                                                   profile.progress.O_both)));
    const LinkCosts& seen = *costs.computing.link;
    CHECK(message(seen, 8) == message(profile, 8));
    CHECK(message(seen, 100000) == message(profile, 100000));
}

TEST_CASE("exchanges are planned in messages that expose little, and expose that", "[plan]") {
    for (const Pattern pattern : {Pattern::alltoall, Pattern::halo}) {
        const Plan made = plan(measured(), exchange(pattern));
        REQUIRE(made.messages.count() > 1);
        const double bytes = 1 << 20;
        const bool loose = pattern == Pattern::halo;
        for (const auto& run : made.messages.runs()) CHECK(run.size <= (loose ? 100000 : 20000));
        CHECK(made.predicted > (measured().loggp.G + (loose ? 0.36e-9 : 0.5e-9)) * bytes);
        CHECK(made.predicted < made.blocking);
        CHECK(made.limit <= made.predicted);
    }
}

TEST_CASE("exchanges are planned in messages of the sizes that were measured", "[plan]") {
    for (const std::uint64_t volume : {1 << 20, 300008, 72008}) {
        Workload workload = exchange();
        workload.volume = volume;
        workload.compute = 0.4 * static_cast<double>(volume) / 750e6;
        const Plan made = plan(measured(), workload);
        REQUIRE(made.messages.count() > 1);
        const auto size = made.messages.runs().front().size;
        INFO(volume << " bytes in " << made.messages.count() << " of " << size);
        CHECK((size == 10000 || size == 20000));
        CHECK(made.burst == made.window / 2);
    }
}

TEST_CASE("who does not overlap pays for messages by themselves", "[plan]") {
    Profile dear = measured();
    const double before = plan(dear, exchange()).blocking;
    for (double& seconds : dear.progress.exposed_time[0].exposed) seconds *= 10;
    for (double& seconds : dear.progress.exposed_time[0].exposed_polled) seconds *= 10;
    const Plan made = plan(dear, exchange());
    CHECK(made.blocking == Approx(before));
    CHECK(made.messages.count() == 1);
    CHECK(made.predicted == made.blocking);
    CHECK(made.bound == lapwing::Bound::progress);
    CHECK(made.runner_up.predicted > made.predicted);
}

TEST_CASE("what two-sided messages expose says nothing of puts", "[plan]") {
    Profile profile = measured();
    lapwing::OperationCosts put;
    put.name = "rput";
    put.transport = "rma";
    put.sizes = {8, 1000};
    put.bursts = {1};
    put.latency = {9e-6, 10e-6};
    put.overhead = {{1e-6}, {1e-6}};
    put.asymptotic = {1e-6, 1e-6};
    put.gap = 1e-6;
    put.bandwidth = {8e6, 500e6};
    profile.operations = {put};
    const WorkloadCosts seen = workload_costs(profile, complete(exchange()), MessageTransport::put);
    CHECK(costs_of(profile, exchange()).computing.has_exposed_time());
    CHECK_FALSE(seen.computing.has_exposed_time());
    CHECK(stolen(seen) ==
          Approx(lapwing::model::progress_overhead(
              exchange().compute, 1 << 20, seen.computing.line.G, profile.progress.O_both)));
}

TEST_CASE("a message costs a rank that computes what it was seen to expose", "[plan]") {
    const LinkCosts seen = receiving(receiver());
    CHECK(receive_overhead(seen, 1000) == Approx(3e-6));
    CHECK(receive_overhead(seen, 4000) == Approx(2e-6));
    CHECK(receive_overhead(seen, 10000) == Approx(3e-6));
    // Longer ones as much a byte; shorter ones what the shortest did.
    CHECK(receive_overhead(seen, 100000) == Approx(30e-6));
    CHECK(receive_overhead(seen, 8) == Approx(3e-6));
    CHECK(seen.loggp.o_r == Approx(3e-6));
    const Profile profile = receiver();
    CHECK(stolen(costs_of(profile, stream(1))) ==
          Approx(lapwing::model::progress_overhead(stream(1).compute, 200000, wire_gap,
                                                   profile.progress.O_r)));
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
        return measured_exposure(profile.progress, workload, two_way, wire_gap) ==
               &profile.progress.exposed_time.front();
    };
    Workload workload = stream(1);
    CHECK(counts(workload, false));
    CHECK_FALSE(counts(workload, true));
    workload.dependence = Dependence::loose;
    CHECK_FALSE(counts(workload, false));
    workload = stream(1);
    workload.direction = Direction::produce;
    CHECK_FALSE(counts(workload, false));
    CHECK(measured_exposure({}, stream(1), false, wire_gap) == nullptr);
    // It was measured of two-sided messages.
    Profile puts = lapwing::test::full_profile();
    puts.operations.front().name = "rput";
    puts.operations.front().transport = "rma";
    CHECK(costs_of(puts, stream(1)).computing.has_exposed_time());
    CHECK_FALSE(workload_costs(puts, complete(stream(1)), MessageTransport::put)
                    .computing.has_exposed_time());
}

TEST_CASE("a stream goes by what its messages were seen to cost beyond the computation", "[plan]") {
    Profile profile = receiver();
    profile.progress.O_r = 0;
    CHECK(closed_form(profile, stream(1.5)));
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
