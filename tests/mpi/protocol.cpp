// What a transport does differently from some size on, looked for on whatever machine this is.
#include "lapwing/calibrate/parts/protocol.hpp"

#include <mpi.h>

#include <string>

#include "../support/check.hpp"
#include "lapwing/calibrate/benchmarks/protocol_probes.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

using lapwing::Buffers;
using lapwing::TwoSided;

void check_exchanges(lapwing::TwoSidedPair& pair) {
    Buffers buffers(1 << 20);
    for (const std::uint64_t size : {0, 1, 4096, 300000}) {
        const double late = late_receive(pair, buffers, size, 1e-3);
        if (pair.first()) CHECK(late > 0);
        if (size == 0) continue;
        for (const int window : {1, 3, 64})
            CHECK(windowed_flood(pair, buffers, size, 10, window) > 0);
        for (const int burst : {1, 7}) CHECK(burst_completion(pair, buffers, size, burst) > 0);
    }
}

void check_protocol(lapwing::TwoSidedPair& pair) {
    lapwing::ProtocolOptions options;
    options.largest = 65536;
    options.most = 1 << 20;
    options.deepest = 16;
    options.longest = 2e-3;
    options.longest_flood = 5e-3;
    lapwing::NoiseCounts noise;
    lapwing::Profile profile;
    profile.loggp.G = 1e-9;  // no profile is without
    lapwing::EnvironmentMonitor environment(pair);
    lapwing::Context context{
        pair,
        MPI_COMM_WORLD,
        {pair, environment, noise, {.accuracy = 0.5, .budget = 0.5, .least = 3}, {}}};
    measure_protocol(context, options, profile);
    const auto& found = *profile.protocol;
    // Both ranks look at the same sizes.
    CHECK(pair.from_first(static_cast<double>(found.switches.size())) ==
          static_cast<double>(found.switches.size()));
    if (!pair.first()) return;
    validate(profile);
    CHECK(found.switches.empty() == !found.switches_reason.empty());
    CHECK(found.outstanding.has_value() == found.outstanding_reason.empty());
    CHECK(found.completion_depth.has_value() == found.completion_depth_reason.empty());
    for (const auto size : found.switches) {
        CHECK(size >= options.smallest);
        CHECK(size < options.largest);
    }
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int failed = 0;
    {
        TwoSided transport;
        lapwing::TwoSidedPair pair(transport, transport.rank() == 0, 1 - transport.rank());
        check_exchanges(pair);
        check_protocol(pair);
        MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
