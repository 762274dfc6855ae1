// Every operation is measured in the same way: the shape of what comes out, whatever the machine.
#include "lapwing/calibrate/parts/operations.hpp"

#include <mpi.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/calibrate/all_operations.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

using lapwing::NoiseCounts;
using lapwing::OperationOptions;
using lapwing::Profile;
using lapwing::SamplingGoal;
using lapwing::TwoSided;
using RankPair = lapwing::TwoSidedPair;

SamplingGoal rough(double seconds) { return {.accuracy = 1, .budget = seconds, .least = 3}; }

void check_train(RankPair& pair) {
    const auto work = lapwing::Chain::lasting(50e-6);
    lapwing::all_operations(MPI_COMM_WORLD, 1 << 20, [&](auto& operation) {
        for (const std::uint64_t count : {1, 5, 100}) {
            const auto took = run_train(pair, operation, 1000, count);
            const auto working = run_train(pair, operation, 1000, count, &work, 2);
            if (!pair.first()) continue;
            CHECK(took.initiation >= 0);
            CHECK(took.total >= took.initiation);
            CHECK(working.total >= working.initiation);
            CHECK(working.initiation > 0);
        }
    });
}

void check_costs(RankPair& pair, const OperationOptions& options) {
    Profile profile;
    profile.loggp.G = 1e-9;  // no profile is without
    NoiseCounts noise;
    int ways = 0;
    lapwing::all_operations(MPI_COMM_WORLD, 4096, [&](auto&) { ++ways; });
    double last = -1;
    lapwing::EnvironmentMonitor environment(pair);
    const auto status = [&](double share, const std::string& what) {
        CHECK(share >= last);
        CHECK(share <= 1);
        CHECK(!what.empty());
        last = share;
    };
    measure_operations(
        {pair, environment, noise, rough(0.5), status}, options,
        [](auto&& visit) { lapwing::all_operations(MPI_COMM_WORLD, 4 << 20, visit); }, profile);
    if (!pair.first()) return;
    validate(profile);
    CHECK(last >= 0);
    CHECK(noise.samples > 0);
    CHECK(profile.operations.size() == static_cast<std::size_t>(ways));
    std::set<std::string> names;
    for (const auto& costs : profile.operations) {
        CHECK(names.insert(costs.transport + " " + costs.name).second);
        // A slow wire may end the sizes early, not begin them late.
        CHECK(!costs.sizes.empty());
        CHECK(std::equal(costs.sizes.begin(), costs.sizes.end(), options.sizes.begin()));
        CHECK(costs.bursts == options.bursts);
        for (std::size_t i = 0; i < costs.sizes.size(); ++i) {
            CHECK(costs.latency[i] > 0);
            CHECK(costs.bandwidth[i] > 0);
            CHECK(costs.overhead[i].front() > 0);
            // Who knows that the data has arrived has initiated it.
            if (options.bursts.front() == 1) CHECK(costs.latency[i] >= costs.overhead[i].front());
        }
    }
    for (const auto& name : profile.interpolated) CHECK(name.rfind("operations[", 0) == 0);
}

/// What would keep the wire busy for too long is not measured, and said to be taken from elsewhere.
void check_interpolated(RankPair& pair) {
    Profile profile;
    profile.loggp.G = 1e-9;  // no profile is without
    NoiseCounts noise;
    // No burst but the first is short enough.
    const OperationOptions options{.sizes = {4096}, .bursts = {1, 4, 16}, .longest = 1e-12};
    lapwing::EnvironmentMonitor environment(pair);
    measure_operations(
        {pair, environment, noise, rough(0.1), {}}, options,
        [](auto&& visit) { lapwing::two_sided::operations(MPI_COMM_WORLD, 1 << 20, visit); },
        profile);
    if (!pair.first()) return;
    CHECK(profile.interpolated.size() == 2 * profile.operations.size());
    CHECK(profile.interpolated.front() == "operations[0].overhead[0][1]");
    for (const auto& costs : profile.operations) {
        CHECK(costs.overhead[0][1] == costs.overhead[0][0]);
        CHECK(costs.overhead[0][2] == costs.overhead[0][0]);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        TwoSided transport;
        RankPair pair(transport, transport.rank() == 0, 1 - transport.rank());
        check_train(pair);
        check_costs(pair, {.sizes = {8, 4096, 65536}, .bursts = {1, 8}, .longest = 2e-3});
        check_costs(pair, {.sizes = {1}, .bursts = {3}, .longest = 2e-3});
        check_interpolated(pair);
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
