// Plans a stream with a machine's parameters written down by hand: no MPI, no file, no JSON.
#include <lapwing/plan/plan.hpp>

#include <cstdint>
#include <cstdio>

int main() {
    lapwing::Profile machine;
    machine.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1 / 750e6};
    const lapwing::Workload workload{.volume = 1 << 20, .compute = 1.4e-3, .grain = 8};
    const lapwing::Plan plan = lapwing::plan(machine, workload);

    std::uint64_t sum = 0;
    for (const auto size : plan.messages) sum += size;
    std::printf("%llu messages, %.3g ms instead of %.3g ms\n",
                static_cast<unsigned long long>(plan.messages.count()), 1e3 * plan.predicted,
                1e3 * plan.blocking);
    return sum == workload.volume && plan.predicted < plan.blocking ? 0 : 1;
}
