#include "lapwing/gather/gather_plan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "lapwing/gather/gather_partition.hpp"
#include "support/machine.hpp"
#include "support/random.hpp"

using lapwing::GatherPlan;
using lapwing::GatherWorkload;
using lapwing::test::Random;

namespace {

std::uint64_t dealt(const GatherPlan& gather, const GatherWorkload& workload) {
    lapwing::GatherPartition partition(workload.ranks, gather.root_share);
    for (const std::uint64_t tile : gather.plan.messages) {
        CHECK(partition.assigned() < workload.pieces);
        partition.advance(
            tile, std::min(workload.pieces - partition.assigned(), partition.round_size(tile)));
    }
    return partition.assigned();
}

/// InfiniBand 4x, with nothing but its LogGP parameters.
lapwing::Profile machine() {
    lapwing::Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1 / 750e6};
    return profile;
}

}  // namespace

TEST_CASE("a gather's plan deals everything, in bounded memory, no faster than the limit",
          "[plan]") {
    Random random(31);
    for (int trial = 0; trial < 200; ++trial) {
        const auto profile = lapwing::test::any_machine(random);
        const GatherWorkload workload{.ranks = static_cast<int>(random.integer(1, 200)),
                                      .pieces = random.integer(1, 3000),
                                      .compute = random.log_uniform(1e-4, 1),
                                      .bytes = random.log_uniform(1e3, 1e6),
                                      .memory = random.log_uniform(1e6, 1e9)};
        const GatherPlan gather = lapwing::plan_gather(profile, workload);
        CHECK(dealt(gather, workload) == workload.pieces);
        CHECK(gather.plan.messages.grain() == 1);
        CHECK(gather.plan.window >= 1);
        CHECK(gather.plan.poll_interval > 0);
        CHECK(gather.root_share >= 0);
        CHECK(gather.root_share <= 1);
        CHECK(gather.plan.predicted >= gather.plan.limit * (1 - 1e-9));
        std::uint64_t largest = 0;
        for (const auto& run : gather.plan.messages.runs()) largest = std::max(largest, run.size);
        if (largest > 1)
            CHECK(static_cast<double>(largest) * gather.plan.window * workload.bytes *
                      (workload.ranks - 1) <=
                  workload.memory * (1 + 1e-9));
    }
}

TEST_CASE("what is collected when nothing is left to compute is little", "[plan]") {
    // Hoefler's: 146 MiB at 0.7 MB/s a core.
    const GatherWorkload workload{
        .ranks = 32, .pieces = 1531, .compute = 100e3 / 0.7e6, .bytes = 100e3};
    const auto gather = lapwing::plan_gather(machine(), workload);
    const double communication = gather.plan.blocking - 48 * workload.compute;
    CHECK(gather.plan.predicted - 48 * workload.compute < 0.05 * communication);
}

TEST_CASE("a plan bound by the wire begins to collect early", "[plan]") {
    const GatherWorkload workload{.ranks = 64, .pieces = 6400, .compute = 1e-3, .bytes = 100e3};
    const auto gather = lapwing::plan_gather(machine(), workload);
    CHECK(gather.plan.bound == lapwing::Bound::bandwidth);
    CHECK(gather.plan.messages.runs().front().size == 1);
    CHECK(gather.plan.predicted < 1.01 * gather.plan.limit);
}

TEST_CASE("a root that has more to do about messages than the others gets less work", "[plan]") {
    auto profile = machine();
    profile.loggp.o_r = 100e-6;
    const GatherWorkload workload{.ranks = 128, .pieces = 128 * 50, .compute = 20e-3, .bytes = 1e4};
    CHECK(lapwing::plan_gather(profile, workload).root_share < 1);
    CHECK(lapwing::plan_gather(machine(), workload).plan.predicted <
          lapwing::plan_gather(profile, workload).plan.predicted);
}

TEST_CASE("a gather as somebody says deals everything, in tiles of one size", "[plan]") {
    Random random(32);
    for (int trial = 0; trial < 200; ++trial) {
        const GatherWorkload workload{.ranks = static_cast<int>(random.integer(1, 50)),
                                      .pieces = random.integer(0, 3000)};
        const lapwing::GatherSettings how{.tile = random.integer(1, 20), .window = 3};
        const GatherPlan gather = lapwing::gather_with(how, workload.ranks, workload.pieces);
        CHECK(dealt(gather, workload) == workload.pieces);
        for (const auto& run : gather.plan.messages.runs()) CHECK(run.size == how.tile);
        CHECK(gather.plan.messages.grain() == 1);
        CHECK(gather.plan.window == 3);
        CHECK(gather.root_share == 1);
    }
}

TEST_CASE("an impossible gather is refused", "[plan]") {
    using lapwing::plan_gather;
    CHECK_THROWS_AS(lapwing::gather_with({}, 0, 1), std::invalid_argument);
    CHECK_THROWS_AS(lapwing::gather_with({.tile = 0}, 2, 1), std::invalid_argument);
    CHECK_THROWS_AS(lapwing::gather_with({.window = 0}, 2, 1), std::invalid_argument);
    CHECK_THROWS_AS(plan_gather(machine(), {.ranks = 0, .pieces = 1, .bytes = 1}),
                    std::invalid_argument);
    CHECK_THROWS_AS(plan_gather(machine(), {.ranks = 2, .pieces = 0, .bytes = 1}),
                    std::invalid_argument);
    CHECK_THROWS_AS(plan_gather(machine(), {.ranks = 2, .pieces = 1, .bytes = 0}),
                    std::invalid_argument);
    CHECK_THROWS_AS(plan_gather(machine(), {.ranks = 2, .pieces = 1, .compute = -1, .bytes = 1}),
                    std::invalid_argument);
}
