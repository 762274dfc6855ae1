// What is hidden is measured on both sides of a pair, for every operation there is.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../support/check.hpp"
#include "lapwing/calibrate/all_operations.hpp"
#include "lapwing/calibrate/benchmarks/bidirectional.hpp"
#include "lapwing/calibrate/benchmarks/measure_overlap.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

using lapwing::MessageLoad;
using lapwing::OverlapShare;
using lapwing::PolledComputation;
using RankPair = lapwing::TwoSidedPair;

constexpr std::uint64_t largest = 300007;  // not eager anywhere

/// Measures with `run`, in all ways to use it, and looks at what cannot be otherwise.
template <class Run>
void check_uses(RankPair& pair, std::uint64_t size, double pass, Run&& run) {
    lapwing::NoiseCounts noise;
    int reports = 0;
    const int quantities = static_cast<int>(lapwing::progress_modes.size());
    lapwing::TimeShare section(pair, {.accuracy = 1, .budget = 0.01, .least = 2}, quantities, noise,
                               [&](double share, const std::string& what) {
                                   CHECK(share >= 0);
                                   CHECK(share <= 1);
                                   CHECK(what == "x");
                                   ++reports;
                               });
    for (const lapwing::ProgressMode& use : lapwing::progress_modes) {
        const MessageLoad load{.size = size, .count = 3, .use = use};
        const OverlapShare hidden = measure_overlap(
            section, "x", load, pass, [&](PolledComputation* step) { return run(load, step); });
        if (!pair.first()) continue;
        CHECK(hidden.communication.median > 0);
        CHECK(hidden.computation.median > 0);
        CHECK(hidden.both() > 0);
        CHECK(hidden.error() >= 0);
        CHECK((hidden.poll_interval > 0) == use.polled);
    }
    CHECK(reports == (pair.first() ? quantities : 0));
    CHECK((noise.samples > 0) == pair.first());
}

/// What is sent each way arrives, and is timed until both ranks have it.
void check_both_ways(RankPair& pair, lapwing::Buffers& buffers) {
    const auto mine = static_cast<std::byte>(pair.first() ? 2 : 3);
    const auto theirs = static_cast<std::byte>(pair.first() ? 3 : 2);
    for (const bool there : {true, false}) {
        for (const bool back : {true, false}) {
            std::fill(buffers.out.begin(), buffers.out.end(), mine);
            std::fill(buffers.in.begin(), buffers.in.end(), std::byte{0});
            const double seconds =
                transfer(pair, buffers,
                         {.size = largest, .count = 3, .window = 2, .there = there, .back = back});
            CHECK(seconds > 0);
            const bool received = pair.first() ? back : there;
            CHECK(std::count(buffers.in.begin(), buffers.in.end(), theirs) ==
                  (received ? static_cast<std::ptrdiff_t>(3 * largest) : 0));
        }
    }
    lapwing::NoiseCounts noise;
    lapwing::TimeShare section(pair, {.accuracy = 1, .budget = 0.01, .least = 2}, 1, noise);
    const auto measured = measure_bidirectional(pair, section, "x", buffers,
                                                {.size = largest, .count = 3, .window = 1});
    if (!pair.first()) return;
    CHECK(measured.one_way.median > 0);
    CHECK(measured.slowdown.median > 0);
    CHECK(measured.both() > 0);
}

void check(lapwing::TwoSided& transport) {
    const bool first = transport.rank() == 0;
    const int peer = 1 - transport.rank();
    RankPair pair(transport, first, peer, lapwing::clock_offset(MPI_COMM_WORLD, first, peer));
    const double pass = lapwing::VectorAdd::measure_pass();
    int operations = 0;
    lapwing::all_operations(MPI_COMM_WORLD, 3 * largest, [&](auto& operation) {
        ++operations;
        check_uses(pair, largest, pass, [&](const MessageLoad& load, PolledComputation* step) {
            return initiator_computes(pair, operation, load, step);
        });
    });
    CHECK(operations > 0);
    lapwing::Buffers buffers(3 * largest);
    for (const std::uint64_t size : {std::uint64_t{8}, largest})
        check_uses(pair, size, pass, [&](const MessageLoad& load, PolledComputation* step) {
            return receiver_computes(pair, buffers, load, step);
        });
    check_both_ways(pair, buffers);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        check(transport);
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
