// Parameterised LogP, measured too briefly to be good, has the form and the order it must have.
#include "lapwing/calibrate/parts/plogp.hpp"

#include <mpi.h>

#include <cmath>

#include "../support/check.hpp"
#include "lapwing/calibrate/benchmarks/packet_train.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/model/plogp.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

void measure(lapwing::TwoSided& transport) {
    const bool first = transport.rank() == 0;
    lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
    lapwing::Profile profile;
    profile.loggp.G = 1;
    lapwing::NoiseCounts noise;
    int reports = 0;
    lapwing::EnvironmentMonitor environment(pair);
    const auto status = [&](double share, const std::string&) {
        CHECK(share >= 0);
        CHECK(share <= 1);
        ++reports;
    };
    lapwing::Context context{
        pair,
        MPI_COMM_WORLD,
        {pair, environment, noise, {.accuracy = 1, .budget = 0.02, .least = 3}, status},
        10};
    measure_plogp(context, 65536, profile);
    CHECK(profile.plogp.has_value() == first);
    CHECK((reports > 0) == first);
    CHECK((noise.samples > 0) == first);
    if (!first) return;
    validate(profile);
    const auto& p = *profile.plogp;
    CHECK(p.sizes.front() == 1);
    CHECK(p.sizes.size() >= 2);
    CHECK(p.sizes.back() <= 65536);
    for (const double seconds : p.send) CHECK(seconds > 0);
    for (const double seconds : p.receive) CHECK(seconds > 0);
    const auto converted = lapwing::model::loggp(p);
    const double half = p.L + p.gap.front();
    CHECK(std::abs(converted.L + converted.o_s + converted.o_r - half) < 1e-9 + 1e-6 * half);
    CHECK(lapwing::profile_from_json(to_json(profile)).plogp->gap == p.gap);
}

/// One message: the sender is done before it has the answer.
void trains(lapwing::TwoSided& transport) {
    const bool first = transport.rank() == 0;
    lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
    lapwing::Buffers buffers(4096);
    for (const std::uint64_t count : {1, 2, 70}) {
        const auto [send, total] = lapwing::run_blocking_train(pair, buffers, 1024, count);
        CHECK((total > 0) == first);
        CHECK(send <= total);
        CHECK((lapwing::receive_arrived(pair, buffers, 1024, 1e-4) > 0) == first);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        lapwing::TwoSided transport;
        trains(transport);
        measure(transport);
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
