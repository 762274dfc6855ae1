// A calibration, too short to be good, is a profile all the same.
#include "lapwing/calibrate/parts/loggp.hpp"

#include <mpi.h>

#include <string>

#include "../support/check.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

void check_profile(const lapwing::Profile& profile) {
    validate(profile);
    const std::string text = to_json(profile);
    const auto back = lapwing::profile_from_json(text);
    CHECK(to_json(back) == text);
    CHECK(back.loggp.G == profile.loggp.G);
    CHECK(!profile.overhead.sizes.empty());
    CHECK(profile.bandwidth.sizes == profile.overhead.sizes);
    CHECK(profile.progress.sizes == profile.overhead.sizes);
    CHECK(profile.queue_depth.has_value() || !profile.queue_depth_reason.empty());
    for (const double share : profile.progress.with_polling) CHECK(share <= 1);
    const auto* const receiving =
        find_exposed_time(profile.progress, lapwing::Traffic::receive, false, 1);
    CHECK((receiving != nullptr) != lapwing::simulated_time);
    if (receiving != nullptr) {
        CHECK(receiving->sizes == profile.progress.sizes);
        for (const double seconds : receiving->exposed) CHECK(seconds > 0);
    }
    // And one can plan with it.
    const auto plan = lapwing::plan(profile, {.volume = 1 << 20, .compute = 1e-3, .grain = 8});
    std::uint64_t sum = 0;
    for (const auto size : plan.messages) sum += size;
    CHECK(sum == 1 << 20);
    CHECK(plan.predicted <= plan.blocking);
}

void calibrate(lapwing::TwoSided& transport) {
    const bool first = transport.rank() == 0;
    const int peer = 1 - transport.rank();
    lapwing::TwoSidedPair pair(transport, first, peer,
                               lapwing::clock_offset(MPI_COMM_WORLD, first, peer));
    lapwing::LogGPOptions options = lapwing::LogGPOptions::quick();
    options.sizes = {8, 4096, 65536};
    options.bursts = {1, 8};
    lapwing::EnvironmentMonitor environment(pair);
    lapwing::NoiseCounts noise;
    double last = -1;
    const auto status = [&](double share, const std::string& next) {
        CHECK(share >= last - 1e-9);
        CHECK(share <= 1);
        CHECK(!next.empty());
        last = share;
    };
    lapwing::Context context{
        pair,
        MPI_COMM_WORLD,
        {pair, environment, noise, {.accuracy = 1, .budget = 3.5, .least = 3}, status},
        2e-3};
    lapwing::Profile profile;
    measure_loggp(context, options, profile);
    if (!first) {
        CHECK(last == -1);
        return;
    }
    CHECK(last == 1);
    CHECK(noise.samples > 0);
    check_profile(profile);
}

void pair_basics(lapwing::TwoSided& transport) {
    const bool first = transport.rank() == 0;
    lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
    CHECK(pair.from_first(first ? 3.5 : -1) == 3.5);
    CHECK(pair.from_second(first ? -1 : 4.5) == 4.5);
    CHECK(pair.first() == first);
    pair.barrier();
    const double moment = pair.start_together();
    CHECK(transport.now() >= moment);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        if (transport.rank() < 2) {
            pair_basics(transport);
            calibrate(transport);
        }
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
