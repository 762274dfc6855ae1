#include "lapwing/plan/exchanging.hpp"

#include <catch2/catch.hpp>

#include "lapwing/plan/one_sided.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/table.hpp"
#include "support/machine.hpp"

using lapwing::Dependence;
using lapwing::ExposedTime;
using lapwing::Pattern;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;

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

double message(const Profile& profile, double bytes) {
    return send_overhead(profile, bytes, 1) + receive_overhead(profile, bytes);
}

Workload exchange(Pattern pattern = Pattern::alltoall) {
    return {.volume = 1 << 20,
            .compute = (1 << 20) / 750e6,
            .grain = 8,
            .pattern = pattern,
            .dependence = pattern == Pattern::halo ? Dependence::loose : Dependence::tight,
            .ranks = 2};
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
    CHECK(least_exposed(flat, 20e-9).at == 2);
    // Of two the longer: it can be cut.
    const auto least = least_exposed(exposure(), 1e-9);
    CHECK(least.at == 2);
    CHECK_FALSE(least.polled);
    CHECK(least.per_byte == Approx(0.51e-9));
}

TEST_CASE("polls have to save a quarter of what they hide", "[plan]") {
    ExposedTime seen = exposure();
    seen.exposed_polled.back() = 20e-6;
    CHECK(least_exposed(seen, 1e-9).at == 3);
    CHECK(least_exposed(seen, 1e-9).polled);
    CHECK(least_exposed(seen, 1e-9).per_byte == Approx(0.2e-9));
    // Of a wire that is three times as slow 0.3 ns are less than that.
    CHECK(least_exposed(seen, 3e-9).at == 2);
    CHECK_FALSE(least_exposed(seen, 3e-9).polled);
}

TEST_CASE("a message costs ranks that exchange what it was seen to expose", "[plan]") {
    const Profile seen = exchanging(measured(), complete(exchange()));
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
        const Profile seen = exchanging(measured(), some);
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
    const Profile faster = exchanging(profile, half);
    CHECK(faster.loggp.G == Approx(0.8 * G));
    CHECK(faster.bandwidth.unidirectional.front() == Approx(1 / (0.8 * G)));
    CHECK(faster.bandwidth.bidirectional.front() == Approx(2 / (0.8 * G)));
    CHECK(faster.patterns.front().slowest.front().front() == Approx(0.8 * G));
    // What takes longer says nothing of the wire: all of it may be overhead.
    exposed = {2e-6, 0.6 * G * 10000, 0.6 * G * 20000, 0.6 * G * 100000};
    CHECK(exchanging(profile, half).loggp.G == G);
    CHECK(exchanging(profile, complete(exchange())).loggp.G == G);
}

TEST_CASE("where nothing is awaited before the end, a message exposes what it did so", "[plan]") {
    const Profile seen = exchanging(measured(), complete(exchange(Pattern::halo)));
    CHECK(message(seen, 1000) == Approx(4e-6));
    CHECK(message(seen, 10000) == Approx(6e-6));
    CHECK(message(seen, 100000) == Approx(40e-6));
    CHECK(plan(measured(), exchange(Pattern::halo)).messages.runs().front().size == 100000);
}

TEST_CASE("what is in an exposure is not counted again", "[plan]") {
    const Profile seen = exchanging(measured(), complete(exchange()));
    CHECK(seen.progress.O_both == 0);
    CHECK_FALSE(seen.latency);
    CHECK(seen.protocol->switches.empty());
    CHECK(seen.protocol->outstanding == measured().protocol->outstanding);
    CHECK(seen.loggp.L == measured().loggp.L);
    CHECK(seen.loggp.G == measured().loggp.G);
}

TEST_CASE("a profile that does not know what messages expose stays as it is", "[plan]") {
    Profile profile = measured();
    profile.progress.exposed_time.clear();
    const Profile seen = exchanging(profile, complete(exchange()));
    CHECK(seen.progress.O_both == profile.progress.O_both);
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
    const Profile seen =
        seen_by(profile, lapwing::MessageTransport::put, lapwing::Direction::fetch);
    CHECK(seen.progress.exposed_time.empty());
    CHECK(seen.progress.O_both == profile.progress.O_both);
}
