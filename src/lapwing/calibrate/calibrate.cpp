#include "lapwing/calibrate/calibrate.hpp"

#include <algorithm>
#include <cstdint>

#include "lapwing/calibrate/all_operations.hpp"
#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/parts/collective_costs.hpp"
#include "lapwing/calibrate/parts/latency.hpp"
#include "lapwing/calibrate/parts/log3p.hpp"
#include "lapwing/calibrate/parts/loggp.hpp"
#include "lapwing/calibrate/parts/operations.hpp"
#include "lapwing/calibrate/parts/plogp.hpp"
#include "lapwing/calibrate/parts/protocol.hpp"
#include "lapwing/calibrate/statistics/switch_sizes.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {
namespace {

/// Sizes at which the usual benchmarks are compared, bytes.
std::vector<std::uint64_t> benchmark_sizes(bool quick) {
    std::vector<std::uint64_t> sizes;
    const std::uint64_t largest = quick ? 1 << 20 : 4 << 20;
    for (std::uint64_t size = 1; size <= largest; size *= quick ? 4 : 2) sizes.push_back(size);
    return sizes;
}

LogGPOptions loggp_options(const CalibrationSettings& settings) {
    if (!settings.tables) return LogGPOptions::parameters();
    return settings.quick ? LogGPOptions::quick() : LogGPOptions{};
}

LatencyOptions latency_options(const CalibrationSettings& settings, const Context& context) {
    if (settings.sizes_of && settings.sizes_of->latency)
        return {settings.sizes_of->latency->sizes, false};
    return {with_switch_sizes(benchmark_sizes(settings.quick), context.switches), true};
}

Log3POptions log3p_options(const CalibrationSettings& settings) {
    Log3POptions options = settings.quick ? Log3POptions::quick() : Log3POptions{};
    if (settings.sizes_of && settings.sizes_of->log3p) {
        options.sizes = settings.sizes_of->log3p->sizes;
        options.refine = false;
    }
    return options;
}

/// Puts and gets cross the same wire as messages, and change where those do.
OperationOptions operation_options(const CalibrationSettings& settings, const Context& context) {
    OperationOptions options = settings.quick ? OperationOptions::quick() : OperationOptions{};
    options.sizes = with_switch_sizes(options.sizes, context.switches);
    if (settings.sizes_of)
        for (const OperationCosts& measured : settings.sizes_of->operations)
            if (measured.transport != "shmem") options.sizes = measured.sizes;
    return options;
}

void measure_all_operations(const OperationOptions& options, Context& context, Profile& profile) {
    measure_operations(
        context.sampling, options,
        [&](auto&& visit) { all_operations(context.ranks, 4 * options.sizes.back(), visit); },
        profile);
}

}  // namespace

std::vector<CalibrationPart> calibration_parts(const CalibrationSettings& s) {
    constexpr std::uint64_t largest_plogp = std::uint64_t{1} << 20;
    constexpr std::uint64_t largest_exchange = std::uint64_t{4} << 20;
    constexpr std::uint64_t largest_quick_exchange = std::uint64_t{1} << 20;
    const bool quick = s.quick;
    // What LogGP takes without its tables is little.
    const double loggp = s.tables ? 22 : 2;
    const double quick_loggp = s.tables ? 3.5 : 2;
    return {
        {"loggp", loggp, quick_loggp, 6, 6,
         [s](Context& c, Profile& p) { measure_loggp(c, loggp_options(s), p); }},
        {"protocol", 3, 1, 5, 2,
         [quick](Context& c, Profile& p) {
             measure_protocol(c, quick ? ProtocolOptions::quick() : ProtocolOptions{}, p);
         }},
        {"latency", 4, 0.7, 6, 6,
         [s](Context& c, Profile& p) { measure_latency(c, latency_options(s, c), p); }},
        {"operations", 11, 1.5, 6, 6,
         [s](Context& c, Profile& p) { measure_all_operations(operation_options(s, c), c, p); }},
        {"plogp", 2.5, 0.5, 5, 2,
         [](Context& c, Profile& p) { measure_plogp(c, largest_plogp, p); }},
        {"log3p", 13, 1, 5, 2,
         [s](Context& c, Profile& p) { measure_log3p(c, log3p_options(s), p); }},
        {"kernels", 1.5, 0.5, 5, 2, s.measure_kernels},
        {"collectives", 2, 0.5, 6, 3, [quick](Context& c, Profile& p) {
             measure_collective_costs(c, quick ? largest_quick_exchange : largest_exchange, p);
         }}};
}

double slow_wire_factor(TwoSidedPair& pair) {
    constexpr std::uint64_t size = 65536;
    constexpr double usual = 200e-6;  // seconds for half a round trip
    constexpr double most = 1.7;
    PairBenchmarks benchmarks(pair, size);
    double least = 1;
    for (int i = 0; i < (simulated_time ? 1 : 5); ++i)
        least = std::min(least, benchmarks.half_round_trip(size));
    return pair.from_first(simulated_time ? 1 : std::clamp(least / usual, 1.0, most));
}

}  // namespace lapwing
