#include "lapwing/plan/workload.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <stdexcept>

#include "lapwing/plan/plan.hpp"
#include "support/machine.hpp"

using lapwing::complete;
using lapwing::Pattern;
using lapwing::Workload;

namespace {

Workload small(Pattern pattern) {
    Workload workload{.volume = 8192, .compute = 1e-3, .grain = 8};
    workload.pattern = pattern;
    workload.ranks = pattern == Pattern::stream ? 2 : 5;
    return workload;
}

/// Refused with a line that has `words` in it.
void check_refused(const Workload& workload, const std::string& words) {
    CHECK_THROWS_WITH(complete(workload), Catch::Contains(words));
}

}  // namespace

TEST_CASE("ranks and peers are as the pattern has them", "[plan]") {
    CHECK(complete({.volume = 8}).ranks == 2);
    CHECK(complete({.volume = 8}).peers == 1);
    CHECK(complete(small(Pattern::alltoall)).peers == 4);
    Workload halo = small(Pattern::halo);
    halo.ranks = 0;
    halo.peers = 4;
    CHECK(complete(halo).ranks == 5);
    CHECK(complete(small(Pattern::buckets)).direction == lapwing::Direction::produce);
}

TEST_CASE("what each peer gives is all of it, in grains", "[plan]") {
    auto workload = complete(small(Pattern::multi));
    CHECK(lapwing::peer_volume(workload) == 2048);
    workload.volume = 8201;
    CHECK(lapwing::peer_volume(workload) == 2056);
    // As many bytes for each, but no whole grains.
    workload.volume = 8208;
    workload.grain = 8;
    CHECK(lapwing::peer_volume(workload) == 2056);
    workload.grain = 4;
    CHECK(lapwing::peer_volume(workload) == 2052);
    CHECK(lapwing::peer_volume(complete(small(Pattern::congested))) == 8192);
}

TEST_CASE("impossible workloads are refused in a line", "[plan]") {
    Workload workload = small(Pattern::multi);
    workload.peers = 5;
    check_refused(workload, "peers must be fewer than the ranks, 5");
    workload = small(Pattern::alltoall);
    workload.peers = 2;
    check_refused(workload, "leave peers out");
    workload = small(Pattern::stream);
    workload.peers = 3;
    check_refused(workload, "see pattern multi");
    workload = small(Pattern::halo);
    workload.ranks = 0;
    check_refused(workload, "needs a number of ranks, or of peers");
    workload = small(Pattern::halo);
    workload.ranks = 1;
    check_refused(workload, "2 ranks or more");
    workload = small(Pattern::stream);
    workload.block = 64;
    check_refused(workload, "stride and block go together");
    workload.stride = 32;
    check_refused(workload, "at least the block, 64 bytes");
    workload = small(Pattern::stream);
    workload.uncertainty = std::numeric_limits<double>::quiet_NaN();
    check_refused(workload, "uncertainty must be");
}

TEST_CASE("strided data needs the tables that say what it costs", "[plan]") {
    Workload workload = small(Pattern::stream);
    workload.block = 8;
    workload.stride = 1024;
    CHECK_THROWS_WITH(lapwing::plan(lapwing::test::infiniband(), workload),
                      Catch::Contains("log3p"));
    auto profile = lapwing::test::infiniband();
    profile.log3p = lapwing::test::full_profile().log3p;
    const auto strided = lapwing::plan(profile, workload);
    CHECK(strided.packing != lapwing::Packing::none);
    workload.block = workload.stride = 0;
    const auto together = lapwing::plan(profile, workload);
    CHECK(together.packing == lapwing::Packing::none);
    CHECK(strided.predicted > together.predicted);
}
