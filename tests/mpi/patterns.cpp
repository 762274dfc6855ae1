// Patterns among many ranks: every table is filled, and the group leaves nobody behind.
#include "lapwing/calibrate/parts/patterns.hpp"

#include <mpi.h>

#include <string>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/calibrate/benchmarks/traffic_pattern.hpp"
#include "lapwing/calibrate/parts/pair_costs.hpp"
#include "lapwing/calibrate/ranks/find_nodes.hpp"
#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/calibrate/ranks/rank_group.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

void group_basics(int rank, int size) {
    lapwing::RankGroup group(MPI_COMM_WORLD);
    CHECK(group.size() == size);
    CHECK(group.broadcast(rank == 0 ? 3.5 : -1) == 3.5);
    CHECK(group.max(rank) == size - 1);
    CHECK(group.sum(1) == size);
    const double moment = group.start_together();
    CHECK(lapwing::now() >= moment);
    CHECK(group.keep(size));
    CHECK(group.keep(2) == (rank < 2));
    if (rank < 2) {
        CHECK(group.size() == 2);
        CHECK(group.sum(1) == 2);
    }
}

void all_patterns(int rank, int size) {
    lapwing::PatternOptions options;
    options.goal = {.accuracy = 1, .budget = 0, .least = 1};
    options.processes = lapwing::default_processes(size);
    options.sizes = {4096, 262144};
    options.seconds = 0;
    options.longest = 100;
    lapwing::Profile profile;
    profile.loggp.G = 1e-9;
    lapwing::NoiseCounts noise;
    double last = -1;
    lapwing::measure_patterns(MPI_COMM_WORLD, options, profile, noise,
                              [&](double share, const std::string& next) {
                                  CHECK(share >= last);
                                  CHECK(share <= 1);
                                  CHECK(!next.empty());
                                  last = share;
                              });
    lapwing::quiet_barrier(MPI_COMM_WORLD);
    if (rank != 0) {
        CHECK(last == -1);
        return;
    }
    CHECK(last > 0);
    CHECK(noise.samples > 0);
    validate(profile);
    CHECK(profile.patterns.size() == lapwing::all_traffic.size());
    for (const auto& pattern : profile.patterns) {
        CHECK(pattern.processes == options.processes);
        CHECK(pattern.sizes == options.sizes);
        for (std::size_t row = 0; row < pattern.slowest.size(); ++row) {
            for (std::size_t i = 0; i < pattern.sizes.size(); ++i) {
                CHECK(pattern.fastest[row][i] > 0);
                CHECK(pattern.slowest[row][i] >= pattern.fastest[row][i]);
                CHECK(pattern.fairness[row][i] > 0);
                CHECK(pattern.fairness[row][i] <= 1);
            }
        }
    }
}

void too_large_for_the_time(int rank) {
    lapwing::PatternOptions options;
    options.processes = {2};
    options.sizes = {1024, 1 << 20};
    options.seconds = 0.01;
    options.longest = 0.1;
    lapwing::Profile profile;
    profile.loggp.G = 1e-7;  // a megabyte takes 0.1 s
    lapwing::NoiseCounts noise;
    lapwing::measure_patterns(MPI_COMM_WORLD, options, profile, noise);
    lapwing::quiet_barrier(MPI_COMM_WORLD);
    if (rank != 0 || lapwing::simulated_time) return;
    for (const auto& pattern : profile.patterns)
        CHECK(pattern.sizes == std::vector<std::uint64_t>{1024});
}

/// Ranks 0 and the last one, while the others wait.
void another_pair(int rank, int size) {
    lapwing::TwoSided transport;
    const int last = size - 1;
    if (rank == 0 || rank == last) {
        const int peer = rank == 0 ? last : 0;
        lapwing::TwoSidedPair pair(transport, rank == 0, peer,
                                   lapwing::clock_offset(MPI_COMM_WORLD, rank == 0, peer));
        lapwing::NoiseCounts noise;
        lapwing::EnvironmentMonitor environment(pair);
        lapwing::Context context{
            pair,
            MPI_COMM_NULL,
            {pair, environment, noise, {.accuracy = 1, .budget = 0.01, .least = 3}, {}},
            5e-3};
        const auto costs = lapwing::measure_pair_costs(context, "0,last", {0, last});
        if (rank == 0) {
            lapwing::Profile profile;
            profile.loggp.G = 1e-9;
            profile.pairs.push_back(costs);
            validate(profile);
            CHECK(costs.ranks == std::vector<int>({0, last}));
            CHECK(costs.loggp.G > 0);
            CHECK(!costs.sizes.empty());
            for (const double time : costs.half_round_trip) CHECK(time > 0);
        }
    }
    lapwing::quiet_barrier(MPI_COMM_WORLD);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int size = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    group_basics(rank, size);
    all_patterns(rank, size);
    too_large_for_the_time(rank);
    another_pair(rank, size);
    // Here they all run on one host.
    const auto nodes = lapwing::find_nodes(MPI_COMM_WORLD);
    if (!lapwing::simulated_time) CHECK(nodes.within().has_value());
    if (!lapwing::simulated_time) CHECK(!nodes.between());
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
