// What surrounds the processors of two ranks, and how long one waits for the best of it.
#include "lapwing/calibrate/environment/state_monitor.hpp"

#include <mpi.h>

#include "../support/check.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        lapwing::TwoSided transport;
        const bool first = transport.rank() == 0;
        lapwing::TransportPair<lapwing::TwoSided> pair(transport, first, 1 - transport.rank());
        lapwing::StateMonitor& processors = pair.state_monitor();
        CHECK(processors.best().core_to_core == 0);
        CHECK(processors.best().core_alone == 0);
        for (int i = 0; i < 5; ++i) {
            const lapwing::Surroundings here = processors.surroundings(pair);
            CHECK((here.core_to_core > 0) == processors.share_memory());
            CHECK((here.core_alone > 0) == !lapwing::simulated_time);
            CHECK((here.kernel_path > 0) == !lapwing::simulated_time);
            processors.measured(here);
            CHECK(processors.best().reach(here));
        }
        CHECK(!processors.measured_in().known());
        for (const double line : {30e-9, 150e-9, 25e-9, 26e-9, 28e-9})
            processors.counted({line, 4e-6, 9e-6});
        CHECK(processors.measured_in().core_to_core == 30e-9);
        CHECK(!processors.measured_in().known());  // of what came since
        processors.have_patience(3);
        processors.waited(1);
        CHECK(processors.patience() == (lapwing::simulated_time ? 0 : 2));
        processors.waited(5);
        CHECK(processors.patience() == 0);
        processors.approach(pair, 0);
    }
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
