// The environment of two ranks, and how long one waits for the best of it.
#include "lapwing/calibrate/environment/environment_monitor.hpp"

#include <mpi.h>

#include "../support/check.hpp"
#include "lapwing/calibrate/environment/cache_line_latency.hpp"
#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace {

double value(const lapwing::Environment& here, const char* name) {
    const auto* const found = here.find(name);
    return found != nullptr ? found->value : 0;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        lapwing::TwoSided transport;
        const bool first = transport.rank() == 0;
        lapwing::TwoSidedPair pair(transport, first, 1 - transport.rank());
        lapwing::EnvironmentMonitor monitor(pair);
        lapwing::CacheLineLatency line(pair);
        CHECK(!monitor.best().known());
        for (int i = 0; i < 5; ++i) {
            const lapwing::Environment here = monitor.read();
            // Rank 1 has no reading of what only rank 0 reads.
            if (first) CHECK(here.find("cache_line_seconds") == nullptr || line.known());
            CHECK((value(here, "core_throughput_seconds") > 0) == !lapwing::simulated_time);
            CHECK((value(here, "syscall_seconds") > 0) == !lapwing::simulated_time);
            monitor.measured(here);
            CHECK(comparable(monitor.best(), best_of(monitor.best(), here)));
        }
        CHECK(!monitor.take_counted().known());
        for (const double seconds : {30e-9, 150e-9, 25e-9, 26e-9, 28e-9})
            monitor.counted({{{"cache_line_seconds", seconds, 1.4}}});
        CHECK(value(monitor.take_counted(), "cache_line_seconds") == 30e-9);
        CHECK(!monitor.take_counted().known());  // of what came since
        CHECK(monitor.wait_budget() == 0);
        CHECK(!monitor.wait_for({}));
        monitor.set_wait_budget(3);
        CHECK(monitor.wait_for({}) == !lapwing::simulated_time);
        monitor.spend_wait(1);
        CHECK(monitor.wait_budget() == (lapwing::simulated_time ? 0 : 2));
        monitor.spend_wait(5);
        CHECK(monitor.wait_budget() == 0);
    }
    const int failed = lapwing::test::failures();
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}
