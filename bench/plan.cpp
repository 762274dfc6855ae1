// How long planning takes: of streams of 8 KB to 1 TB, with computation of 0.25 to 3 times the time
// on the wire, by parameters alone, by tables, and by the exposed time that was measured; and of
// every other pattern among 4 to 64 ranks, which is simulated: with links that carry one message at
// a time, and with messages that share the links of an oversubscribed fat tree.
#include "lapwing/plan/plan.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace {

/// What was measured of the machine.
enum Measured : std::uint8_t { parameters, tables, computing };

lapwing::Profile machine(Measured measured) {
    lapwing::Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1 / 750e6};
    if (measured == parameters) return profile;
    auto& table = profile.overhead;
    table.bursts = {1, 2, 4, 8, 16, 32, 64};
    for (std::uint64_t size = 8; size <= 1 << 20; size *= 2) {
        table.sizes.push_back(size);
        table.send.emplace_back(table.bursts.size(), 1.5e-6 + 1e-11 * static_cast<double>(size));
        table.receive.push_back(1.5e-6 + 2e-11 * static_cast<double>(size));
    }
    if (measured == tables) return profile;
    lapwing::ExposedTime& seen = profile.progress.exposed_time.emplace_back();
    seen.traffic = lapwing::Traffic::receive;
    seen.computation = 1.5;
    auto& flood = profile.bandwidth;
    for (const std::uint64_t size : table.sizes) {
        const auto bytes = static_cast<double>(size);
        // Every other size takes less time than a straight line says.
        const double faster = flood.sizes.size() % 2 == 0 ? 1.1 : 1;
        flood.sizes.push_back(size);
        flood.unidirectional.push_back(faster * bytes / (1.5e-6 + profile.loggp.G * bytes));
        seen.sizes.push_back(size);
        seen.exposed.push_back(1e-6 + 5e-11 * bytes);
        seen.window.push_back(8);
    }
    flood.bidirectional = flood.unidirectional;
    seen.exposed_polled = seen.exposed;
    return profile;
}

/// Arguments: volume in bytes, ratio in hundredths, what was measured.
void plan(benchmark::State& state, lapwing::Method method, lapwing::Direction direction) {
    const auto profile = machine(static_cast<Measured>(state.range(2)));
    const auto volume = static_cast<std::uint64_t>(state.range(0));
    const double wire = profile.loggp.G * static_cast<double>(volume);
    const lapwing::Workload workload{.volume = volume,
                                     .compute = static_cast<double>(state.range(1)) / 100 * wire,
                                     .grain = 8,
                                     .direction = direction};
    for (auto _ : state) benchmark::DoNotOptimize(lapwing::plan(profile, workload, method));
}

void workloads(benchmark::internal::Benchmark* bench, Measured measured) {
    bench->ArgNames({"volume", "ratio%", "measured"})->Unit(benchmark::kMicrosecond);
    for (std::int64_t volume = 8 << 10; volume <= std::int64_t{1} << 40; volume *= 8)
        for (const int ratio : {25, 40, 100, 160, 300}) bench->Args({volume, ratio, measured});
}
void by_tables(benchmark::internal::Benchmark* bench) {
    workloads(bench, tables);
    bench->Args({8 << 20, 100, parameters});
}
// The exposed time of a receiver alone was measured; a producer of such messages is simulated.
void by_computing(benchmark::internal::Benchmark* bench) { workloads(bench, computing); }

BENCHMARK_CAPTURE(plan, fetch, lapwing::Method::lapwing, lapwing::Direction::fetch)
    ->Apply(by_tables)
    ->Apply(by_computing);
BENCHMARK_CAPTURE(plan, produce, lapwing::Method::lapwing, lapwing::Direction::produce)
    ->Apply(by_tables);
BENCHMARK_CAPTURE(plan, paper, lapwing::Method::paper, lapwing::Direction::fetch)
    ->Args({8 << 20, 100, tables})
    ->ArgNames({"volume", "ratio%", "measured"})
    ->Unit(benchmark::kMicrosecond);

/// Arguments: ranks, volume in bytes, whether messages share links.
void pattern(benchmark::State& state, lapwing::Pattern pattern) {
    auto profile = machine(tables);
    if (state.range(2) != 0) {
        profile.nic = lapwing::Nic::sharing;
        profile.topology = {.nodes = 64, .below = 8, .uplinks = 4, .reason = {}};
    }
    lapwing::Workload workload{.volume = static_cast<std::uint64_t>(state.range(1)), .grain = 8};
    workload.pattern = pattern;
    workload.ranks = static_cast<std::uint64_t>(state.range(0));
    if (pattern == lapwing::Pattern::halo) workload.peers = 3;
    workload.compute = profile.loggp.G * static_cast<double>(workload.volume);
    for (auto _ : state) benchmark::DoNotOptimize(lapwing::plan(profile, workload));
}

void crowds(benchmark::internal::Benchmark* bench) {
    bench->ArgNames({"ranks", "volume", "sharing"})->Unit(benchmark::kMillisecond);
    for (const int ranks : {4, 16, 64})
        for (const int volume : {1 << 19, 8 << 20})
            for (const int sharing : {0, 1}) bench->Args({ranks, volume, sharing});
}

BENCHMARK_CAPTURE(pattern, multi, lapwing::Pattern::multi)->Apply(crowds);
BENCHMARK_CAPTURE(pattern, congested, lapwing::Pattern::congested)->Apply(crowds);
BENCHMARK_CAPTURE(pattern, alltoall, lapwing::Pattern::alltoall)->Apply(crowds);
BENCHMARK_CAPTURE(pattern, collective, lapwing::Pattern::collective)->Apply(crowds);
BENCHMARK_CAPTURE(pattern, halo, lapwing::Pattern::halo)->Apply(crowds);
BENCHMARK_CAPTURE(pattern, buckets, lapwing::Pattern::buckets)->Apply(crowds);

}  // namespace
