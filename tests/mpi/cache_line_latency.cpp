// A cache line between two ranks of one host: it takes some time, and none that is simulated.
#include "lapwing/calibrate/environment/cache_line_latency.hpp"

#include <mpi.h>

#include "../support/check.hpp"
#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        lapwing::TwoSided transport;
        const bool first = transport.rank() == 0;
        lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
        lapwing::CacheLineLatency line(pair);
        for (int i = 0; i < 5; ++i) CHECK((line.seconds(pair) > 0) == line.known());
        // None either where two real ranks have one processor.
        if (lapwing::simulated_time) CHECK(!line.known());
        // One more of the same ranks is a line of its own.
        lapwing::CacheLineLatency other(pair);
        // Or none, where the machine was too busy just then.
        CHECK((other.seconds(pair) > 0) == other.known());
        CHECK((line.seconds(pair) > 0) == line.known());
    }
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
