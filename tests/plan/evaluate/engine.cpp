#include "lapwing/plan/evaluate/engine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

#include "lapwing/plan/plan.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::Engine;
using lapwing::Messages;
using lapwing::Pattern;
using lapwing::PeerOrder;
using lapwing::Plan;
using lapwing::Workload;

TEST_CASE("a stream played rank by rank takes what its closed form says", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const Engine engine(profile, profile.topology);
    const std::uint64_t volume = GENERATE(64ULL, 40000ULL, 786432ULL);
    const double ratio = GENERATE(0.0, 0.4, 1.0, 2.5);
    const auto direction = GENERATE(Direction::fetch, Direction::produce);
    Plan plan =
        lapwing::plan(profile, {.volume = volume,
                                .compute = ratio * profile.loggp.G * static_cast<double>(volume),
                                .grain = 8,
                                .direction = direction});
    INFO(volume << " bytes, ratio " << ratio << ", " << plan.messages.count() << " messages");
    // Enough that no receive is late.
    plan.window = 64;
    const auto count = static_cast<double>(plan.messages.count());
    CHECK(engine.run(plan.workload, plan).seconds ==
          Approx(plan.predicted).margin(2e-9 * (count + 1)));
}

TEST_CASE("who awaits the oldest of several messages takes up the others in their turn", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.loggp.o_r = 20e-6;
    Workload workload{.volume = 3 * 750, .grain = 8, .pattern = Pattern::multi, .ranks = 4};
    Plan plan = lapwing::plan(profile, workload);
    plan.messages = Messages::uniform(lapwing::peer_volume(plan.workload), 752, 8);
    const Engine engine(profile, profile.topology);
    for (plan.window = 1; plan.window <= 3; ++plan.window) {
        // All three leave together, and the wire takes the last of them first: the one that is
        // awaited is there after o_s + L + 3 x 750 G; all else is taking up.
        const double first = 1.5e-6 + 5e-6 + 3 * 750 * profile.loggp.G;
        CHECK(engine.run(plan.workload, plan).seconds == Approx(first + 3 * 20e-6).margin(1e-9));
    }
}

TEST_CASE("a burst is initiated when the one before has been consumed", "[plan]") {
    // Of each message 10 us on its way, on the wire and of computation, from when its receive is
    // there: with two in flight the third is asked for when the first has come, or is consumed.
    lapwing::Profile profile;
    profile.loggp = {.L = 10e-6, .o_s = 0, .o_r = 0, .g = 0, .G = 1e-9};
    profile.protocol = lapwing::Protocol{};
    profile.protocol->eager = 0;
    Plan plan;
    plan.workload = lapwing::complete(
        {.volume = 40000, .compute = 40e-6, .grain = 8, .pattern = Pattern::multi, .ranks = 2});
    plan.messages = Messages::uniform(40000, 10000, 8);
    plan.window = 2;
    const Engine engine(profile, profile.topology);
    CHECK(engine.run(plan.workload, plan).seconds == Approx(60e-6));
    plan.burst = 1;
    CHECK(engine.run(plan.workload, plan).seconds == Approx(70e-6));
    plan.burst = 4;  // no more than a window
    CHECK(engine.run(plan.workload, plan).seconds == Approx(80e-6));
}

TEST_CASE("all-to-alls in every order end, and none beats its wire", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.protocol = lapwing::Protocol{};
    profile.protocol->eager = GENERATE(0ULL, 1ULL << 20);
    const Engine engine(profile, profile.topology);
    const auto pattern = GENERATE(Pattern::alltoall, Pattern::collective, Pattern::buckets);
    const auto direction = GENERATE(Direction::fetch, Direction::produce, Direction::both);
    for (const std::uint64_t ranks : {2U, 3U, 5U}) {
        Plan plan = lapwing::plan(profile, {.volume = 24000 * (ranks - 1),
                                            .compute = 1e-5,
                                            .grain = 8,
                                            .pattern = pattern,
                                            .direction = direction,
                                            .ranks = ranks});
        const std::uint64_t own = lapwing::peer_volume(plan.workload);
        for (const std::uint64_t parts : {1U, 3U, 7U}) {
            plan.messages = Messages::uniform(own, own / parts / 8 * 8, 8);
            for (const int window : {1, 2, 16}) {
                for (const bool staggered : {true, false}) {
                    for (const auto order : {PeerOrder::contiguous, PeerOrder::interleaved}) {
                        plan.window = window;
                        plan.staggered = staggered;
                        plan.order = order;
                        CHECK(engine.run(plan.workload, plan).seconds >
                              std::max(plan.workload.compute, plan.limit));
                    }
                }
            }
        }
    }
}

TEST_CASE("a simulation that takes too long is given up", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.nic = lapwing::Nic::sharing;
    const Engine engine(profile, profile.topology);
    Plan plan;
    plan.workload = lapwing::complete(
        {.volume = 64000, .grain = 8, .pattern = Pattern::congested, .ranks = 24});
    plan.messages = Messages::uniform(64000, 8000, 8);
    plan.window = 2;
    const auto whole = engine.run(plan.workload, plan);
    CHECK(std::isfinite(whole.seconds));
    // Each takes more than itself where links are shared out.
    CHECK(whole.cost > 23 * 8);
    CHECK(engine.cost(plan.workload, plan) == Approx(whole.cost).epsilon(0.8));
    const auto part = engine.run(plan.workload, plan, whole.cost / 4);
    CHECK(std::isinf(part.seconds));
    CHECK(part.cost < whole.cost / 2);
    CHECK(engine.run(plan.workload, plan, 2 * whole.cost).seconds == whole.seconds);
}

TEST_CASE("what a schedule requires grows with its messages, not with their square", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const auto requirements = [&](std::uint64_t count) {
        Plan plan;
        plan.workload = lapwing::complete({.volume = 64000,
                                           .grain = 8,
                                           .pattern = Pattern::collective,
                                           .direction = Direction::produce,
                                           .ranks = 8});
        plan.messages = Messages::uniform(64000, 64000 / count, 8);
        plan.window = static_cast<int>(count);  // all are awaited at the end
        const lapwing::simulate::MeasuredMachine costs(profile, lapwing::simulate::Rank{1});
        return static_cast<double>(write_schedule(plan.workload, plan, costs).requirements.size());
    };
    CHECK(requirements(40) < 4.5 * requirements(10));
}

TEST_CASE("tiles of a collective are whole grains of what each rank gets", "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.loggp.L = profile.loggp.o_s = profile.loggp.o_r = 1e-9;
    // Three grains for five others: one for each of them, in the first tile.
    const auto seconds = [&](std::uint64_t tiles) {
        Plan plan;
        plan.workload = lapwing::complete({.volume = tiles * 8000,
                                           .grain = 8000,
                                           .pattern = Pattern::collective,
                                           .direction = Direction::fetch,
                                           .ranks = 6});
        plan.messages = Messages::uniform(tiles * 8000, 8000, 8000);
        plan.window = 1;
        return Engine(profile, profile.topology).run(plan.workload, plan).seconds;
    };
    CHECK(seconds(1) > 5 * 8000 * profile.loggp.G);
    CHECK(seconds(3) == Approx(seconds(1)).margin(1e-7));
    CHECK(seconds(6) > 1.9 * seconds(1));
}

TEST_CASE("sizes that go ahead of data cost a latency, which a window hides", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const Engine engine(profile, profile.topology);
    Plan plan = lapwing::plan(profile, {.volume = 96000,
                                        .grain = 8,
                                        .pattern = Pattern::collective,
                                        .direction = Direction::produce,
                                        .ranks = 2});
    const std::uint64_t own = lapwing::peer_volume(plan.workload);
    plan.messages = Messages::uniform(own, own, 8);
    plan.window = 1;
    const auto seconds = [&](bool sizes_known) {
        plan.workload.sizes_known = sizes_known;
        return engine.run(plan.workload, plan).seconds;
    };
    CHECK(seconds(false) - seconds(true) >= profile.loggp.L);
    plan.messages = Messages::uniform(own, own / 4, 8);
    CHECK(seconds(false) - seconds(true) > 4 * profile.loggp.L);
    plan.workload.compute = 1e-3;
    const double one_by_one = seconds(false);
    // One tile is computed while sizes travel, and one while data does.
    plan.window = 3;
    CHECK(seconds(false) + 0.5 * static_cast<double>(own) * profile.loggp.G < one_by_one);
}

TEST_CASE("sizes of tiles that are under way are there before the data of the first is", "[plan]") {
    const auto profile = lapwing::test::infiniband();
    const Engine engine(profile, profile.topology);
    Plan plan = lapwing::plan(
        profile, {.volume = 960000, .grain = 8, .pattern = Pattern::collective, .ranks = 2});
    const std::uint64_t own = lapwing::peer_volume(plan.workload);
    plan.workload.sizes_known = false;
    plan.workload.compute = 1e-9;
    plan.messages = Messages::uniform(own, own / 4, 8);
    plan.window = 4;
    // Tiles follow each other on the wire: one latency for sizes and one for data, not one of a
    // tile.
    const double wire = profile.loggp.G * static_cast<double>(own);
    CHECK(engine.run(plan.workload, plan).seconds <
          wire + 4 * profile.loggp.L + 32 * profile.loggp.o_s);
    plan.window = 1;
    CHECK(engine.run(plan.workload, plan).seconds > wire + 8 * profile.loggp.L);
}

TEST_CASE("who reads pays when it asks, and data is there a request and a way later", "[plan]") {
    lapwing::Profile profile;
    profile.loggp = {.L = 10e-6, .o_s = 0, .o_r = 2e-6, .g = 0, .G = 1e-9};
    profile.protocol = lapwing::Protocol{};
    profile.protocol->eager = profile.protocol->buffered = 0;
    profile.one_sided.pulled = true;
    Plan plan = lapwing::plan(profile, {.volume = 3000, .grain = 8});
    plan.messages = Messages::uniform(3000, 1000, 8);
    plan.burst = 0;
    const Engine engine(profile, profile.topology);
    // All three are asked for at 2, 4 and 6 us, and none is taken up.
    plan.window = 3;
    CHECK(engine.run(plan.workload, plan).seconds == Approx(6e-6 + 11e-6).margin(2e-9));
    // One after the other: each is asked for when the one before is there.
    plan.window = 1;
    CHECK(engine.run(plan.workload, plan).seconds == Approx(3 * (2e-6 + 11e-6)).margin(2e-9));
}

TEST_CASE("a send that is acknowledged ends with that", "[plan]") {
    lapwing::Profile profile;
    profile.loggp = {.L = 10e-6, .o_s = 1e-6, .o_r = 0, .g = 0, .G = 1e-9};
    profile.protocol = lapwing::Protocol{};
    profile.protocol->buffered = 0;
    profile.one_sided.acknowledgement = 7e-6;
    Plan plan = lapwing::plan(profile, {.volume = 3000, .grain = 8});
    plan.messages = Messages::uniform(3000, 1000, 8);
    const Engine engine(profile, profile.topology);
    plan.window = 3;
    CHECK(engine.run(plan.workload, plan).seconds ==
          Approx(3e-6 + 10e-6 + 1e-6 + 7e-6).margin(2e-9));
    // The next leaves when the one before is known to have arrived.
    plan.window = 1;
    CHECK(engine.run(plan.workload, plan).seconds ==
          Approx(3 * (1e-6 + 11e-6 + 7e-6)).margin(2e-9));
}

TEST_CASE("offers of several streams begin one after another", "[plan]") {
    lapwing::Profile profile;
    profile.loggp = {.L = 10e-6, .o_s = 0, .o_r = 0, .g = 0, .G = 1e-9};
    Plan plan =
        lapwing::plan(profile, {.volume = 3000, .grain = 8, .pattern = Pattern::multi, .ranks = 4});
    plan.messages = Messages::uniform(lapwing::peer_volume(plan.workload), 1000, 8);
    plan.window = 3;
    // The last of three senders may begin at 2 x 4 us.
    profile.one_sided.offer_interval = 4e-6;
    CHECK(Engine(profile, profile.topology).run(plan.workload, plan).seconds ==
          Approx(8e-6 + 11e-6).margin(2e-9));
    // Or rank 0 takes up two offers more, here before its data is there.
    profile.one_sided.offer_interval = 0;
    profile.one_sided.offer_receive = 9e-6;
    CHECK(Engine(profile, profile.topology).run(plan.workload, plan).seconds ==
          Approx(18e-6).margin(2e-9));
}
