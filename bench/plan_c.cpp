// What planning through the C interface costs compared with C++: for the same workloads, a plan is
// made, read and freed.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "lapwing/c/lapwing.h"
#include "lapwing/plan/plan.hpp"

namespace {

constexpr double compute = 1.4e-3;  // seconds

lapwing::Profile machine() {
    lapwing::Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1 / 750e6};
    return profile;
}

void in_cxx(benchmark::State& state) {
    const auto profile = machine();
    const lapwing::Workload workload{
        .volume = static_cast<std::uint64_t>(state.range(0)), .compute = compute, .grain = 8};
    for (auto _ : state) {
        const auto plan = lapwing::plan(profile, workload);
        benchmark::DoNotOptimize(plan.messages.list());
    }
}

void in_c(benchmark::State& state) {
    lapwing_profile* profile = nullptr;
    lapwing_profile_loggp(5e-6, 1.5e-6, 1.5e-6, 1.5e-6, 1 / 750e6, &profile);
    lapwing_workload workload{};
    workload.volume = state.range(0);
    workload.compute = compute;
    workload.grain = 8;
    for (auto _ : state) {
        lapwing_plan* plan = nullptr;
        lapwing_plan_make(profile, &workload, LAPWING_OURS, &plan);
        lapwing_summary summary{};
        lapwing_plan_summary(plan, &summary);
        std::vector<std::int64_t> sizes(static_cast<std::size_t>(summary.count));
        lapwing_plan_sizes(plan, 0, summary.count, sizes.data());
        benchmark::DoNotOptimize(sizes);
        lapwing_plan_free(plan);
    }
    lapwing_profile_free(profile);
}

void volumes(benchmark::internal::Benchmark* bench) {
    bench->ArgName("volume")->Unit(benchmark::kMicrosecond)->Range(8 << 10, 512 << 20);
}

BENCHMARK(in_cxx)->Apply(volumes);
BENCHMARK(in_c)->Apply(volumes);

}  // namespace
