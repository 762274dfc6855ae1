#include "lapwing/plan/search/best_candidate.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "lapwing/plan/evaluate/engine.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"
#include "support/sanitized.hpp"

using lapwing::Direction;
using lapwing::Messages;
using lapwing::Pattern;
using lapwing::PeerOrder;
using lapwing::Plan;
using lapwing::Profile;
using lapwing::Workload;

namespace {

/// A message moves when both sides have posted it.
Profile rendezvous_machine() {
    Profile profile = lapwing::test::infiniband();
    profile.protocol = lapwing::Protocol{};
    profile.protocol->eager = 0;
    return profile;
}

/// The fastest of all equal messages and windows in powers of two, in either order of the peers.
double exhaustive(const lapwing::Engine& engine, Plan plan) {
    const std::uint64_t volume = plan.messages.volume();
    double best = 1e300;
    for (std::uint64_t size = std::max<std::uint64_t>(volume / 64, 256); size < 2 * volume;
         size *= 2) {
        plan.messages = Messages::uniform(volume, std::min(size, volume), 8);
        for (plan.window = 2; plan.window <= 32; plan.window *= 2) {
            for (const auto order : {PeerOrder::contiguous, PeerOrder::interleaved}) {
                plan.order = order;
                best = std::min(best, engine.run(plan.workload, plan).seconds);
            }
        }
    }
    return best;
}

struct Played {
    Pattern pattern;
    Direction direction;
    std::uint64_t ranks;
    std::uint64_t peers;
};

Workload workload_of(const Played& each, std::uint64_t volume, double ratio, double G) {
    Workload workload{.volume = volume,
                      .compute = ratio * G * static_cast<double>(volume),
                      .grain = 8,
                      .pattern = each.pattern,
                      .direction = each.direction};
    workload.ranks = each.ranks;
    workload.peers = each.peers;
    if (each.pattern == Pattern::congested || each.pattern == Pattern::buckets)
        workload.compute *= static_cast<double>(each.ranks - 1);
    return workload;
}

const std::vector<Played> cases = {
    {Pattern::stream, Direction::both, 2, 1},       {Pattern::multi, Direction::fetch, 5, 4},
    {Pattern::multi, Direction::produce, 4, 3},     {Pattern::congested, Direction::fetch, 4, 3},
    {Pattern::congested, Direction::produce, 5, 4}, {Pattern::alltoall, Direction::fetch, 5, 4},
    {Pattern::alltoall, Direction::produce, 4, 3},  {Pattern::halo, Direction::fetch, 6, 2},
    {Pattern::halo, Direction::both, 6, 4},         {Pattern::collective, Direction::produce, 3, 2},
    {Pattern::buckets, Direction::produce, 3, 2}};

}  // namespace

TEST_CASE("plans of all patterns against all equal messages, by the engine", "[plan]") {
    const Profile profile = rendezvous_machine();
    const auto each = GENERATE(from_range(cases));
    const std::uint64_t volume =
        GENERATE(1384ULL, 24576ULL, lapwing::test::sanitized ? 49152ULL : 786432ULL);
    const double ratio = GENERATE(0.4, 1.6);
    const Plan plan = lapwing::plan(profile, workload_of(each, volume, ratio, profile.loggp.G));
    const lapwing::Engine engine(profile, profile.topology);
    const double takes = engine.run(plan.workload, plan).seconds;
    const double best = exhaustive(engine, plan);
    INFO(lapwing::name(each.pattern)
         << ' ' << lapwing::name(each.direction) << ' ' << volume << " ratio " << ratio << ": "
         << plan.messages.count() << " messages, window " << plan.window << ", predicted "
         << plan.predicted << " takes " << takes << " best " << best);
    CHECK((takes - best) / plan.blocking < 0.01);
    CHECK(plan.predicted == Approx(takes).epsilon(1e-6));
    CHECK(plan.limit <= takes * 1.0001);
}

TEST_CASE("of many ranks the engine has time for few ways to cut, and the best is among them",
          "[plan]") {
    auto profile = lapwing::test::infiniband();
    profile.nic = lapwing::Nic::sharing;
    profile.topology = {.nodes = 64, .below = 8, .uplinks = 4, .reason = {}};
    const auto direction = GENERATE(Direction::produce, Direction::fetch);
    const double ratio = GENERATE(0.4, 0.8);
    const std::uint64_t volume = 400000;
    const Played many{Pattern::congested, direction, 64, 63};
    const Plan plan = lapwing::plan(profile, workload_of(many, volume, ratio, profile.loggp.G));
    const lapwing::Engine engine(profile, profile.topology);
    Plan other = plan;
    other.burst = 0;
    double best = 1e300;
    for (const std::uint64_t count : {2, 5, 16, 48}) {
        other.messages = Messages::uniform(volume, volume / count / 8 * 8, 8);
        for (const auto order : {PeerOrder::contiguous, PeerOrder::interleaved}) {
            other.order = order;
            other.window = 2;
            best = std::min(best, engine.run(other.workload, other).seconds);
        }
    }
    INFO(lapwing::name(direction) << " ratio " << ratio << ": " << plan.messages.count()
                                  << " messages, window " << plan.window);
    CHECK(engine.run(plan.workload, plan).seconds < 1.01 * best);
}

TEST_CASE("any played plan is valid", "[plan]") {
    lapwing::test::Random random(61);
    for (int trial = 0; trial < 60; ++trial) {
        const auto profile = lapwing::test::any_machine(random);
        const Played each = cases[random.integer(0, cases.size() - 1)];
        const auto volume = static_cast<std::uint64_t>(random.log_uniform(8, 1e6));
        const auto workload =
            workload_of(each, volume, random.pick({0.0, 0.3, 1.0, 3.0}), profile.loggp.G);
        const Plan plan = lapwing::plan(profile, workload);
        INFO(lapwing::name(each.pattern) << ' ' << volume);
        CHECK(plan.messages.volume() == lapwing::peer_volume(plan.workload));
        CHECK(plan.window >= 1);
        CHECK(plan.predicted <= plan.blocking);
        CHECK(plan.predicted > 0);
        if (profile.queue_depth && *profile.queue_depth > 1)
            CHECK(plan.window < *profile.queue_depth);
    }
}

TEST_CASE("loose computation hides all there is, in one message to each", "[plan]") {
    const Profile profile = rendezvous_machine();
    auto workload = workload_of({Pattern::halo, Direction::fetch, 6, 4}, 786432, 2, 1 / 750e6);
    workload.dependence = lapwing::Dependence::loose;
    const Plan plan = lapwing::plan(profile, workload);
    CHECK(plan.messages.count() == 1);
    CHECK(plan.predicted == Approx(workload.compute).epsilon(0.01));
    CHECK(plan.blocking > 1.4 * plan.predicted);
}

TEST_CASE("a plan for uncertain computation loses less where it is wrong", "[plan]") {
    const Profile profile = rendezvous_machine();
    Workload workload{.volume = 1 << 20, .compute = 1.4e-3, .grain = 8};
    const Plan exact = lapwing::plan(profile, workload);
    workload.uncertainty = 1;
    const Plan robust = lapwing::plan(profile, workload);
    // Neither is better than the exact one where that is right.
    CHECK(robust.predicted >= exact.predicted * (1 - 1e-9));
    CHECK(robust.limit == Approx(exact.limit));
}
