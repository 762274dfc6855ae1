// A cache line between two ranks of one host: it takes some time, and none that is simulated.
#include "lapwing/calibrate/core_to_core.hpp"

#include <mpi.h>

#include "../support/check.hpp"
#include "lapwing/calibrate/pair.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        lapwing::TwoSided transport;
        const bool first = transport.rank() == 0;
        lapwing::Pair<lapwing::TwoSided> pair(transport, first, 1 - transport.rank());
        lapwing::CoreToCore& line = pair.core_to_core();
        CHECK(line.nearest() == 0);
        bool measured = true;
        for (int i = 0; i < 5; ++i) {
            const double seconds = line.seconds(pair);
            measured = measured && seconds > 0;
            line.measured(seconds);
            CHECK(line.nearest() <= seconds);
        }
        // None either where two real ranks have one processor.
        if (lapwing::simulated_time) CHECK(!measured);
        CHECK((line.nearest() > 0) == measured);
        line.have_patience(3);
        line.waited(1);
        CHECK(line.patience() == (measured ? 2 : 0));
        line.waited(5);
        CHECK(line.patience() == 0);
        line.approach(pair, 0);
        // One more pair of the same ranks has a line of its own.
        lapwing::Pair<lapwing::TwoSided> other(transport, first, 1 - transport.rank());
        // Or none, where the machine was too busy just then.
        CHECK((other.core_to_core().seconds(other) > 0) == other.core_to_core().known());
        CHECK((line.seconds(pair) > 0) == measured);
    }
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
