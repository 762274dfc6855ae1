#include "lapwing/calibrate/parts/message_measurement.hpp"

#include <algorithm>

#include "lapwing/calibrate/statistics/detect.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/vector_add.hpp"

namespace lapwing {
namespace {

constexpr std::uint64_t large = 65536;  // bytes of a message that tells the wire's speed

/// The sizes of which a message takes no longer than it may on a wire of `rough_G` seconds per
/// byte: two at least, to take G from.
std::vector<std::uint64_t> affordable(std::vector<std::uint64_t> sizes, double rough_G,
                                      double longest) {
    while (sizes.size() > 2 && rough_G * static_cast<double>(sizes.back()) > longest)
        sizes.pop_back();
    return sizes;
}

}  // namespace

MessageMeasurement::MessageMeasurement(Context& context_, const LogGPOptions& options_,
                                       Profile& profile_)
    : context(context_),
      options(options_),
      profile(profile_),
      pair(context_.pair),
      pass(VectorAdd::measure_pass()),
      benchmarks(pair, std::max<std::uint64_t>(4 * options_.sizes.back(), 1 << 20)) {
    constexpr std::uint64_t small = 8;
    const int rounds = simulated_time ? 1 : 30;
    Series short_trips;
    Series long_trips;
    benchmarks.half_round_trips(small, rounds, short_trips);
    benchmarks.half_round_trips(large, rounds, long_trips);
    short_trips.close();
    long_trips.close();
    rough_L = pair.from_first(short_trips.median());
    const double longer = std::max(long_trips.median() - rough_L, 1e-3 * rough_L);
    rough_G = pair.from_first(longer / static_cast<double>(large));
    sizes = affordable(options.sizes, rough_G, context.longest);
}

int MessageMeasurement::times_a_visit(double seconds) const {
    return repetitions(seconds, options.visit, 200);
}

std::uint64_t MessageMeasurement::flood_of(std::uint64_t size) const {
    return flood_count(wire(size), context.longest);
}

Campaign MessageMeasurement::campaign(double begin, double end) const {
    return Campaign(context.sampling.part(begin, end));
}

void measure_queue_depth(MessageMeasurement& m) {
    const std::uint64_t size = m.sizes[std::min<std::size_t>(3, m.sizes.size() - 1)];
    const auto burst =
        static_cast<std::size_t>(std::clamp(m.context.longest / std::max(m.wire(size), 1e-9), 16.0,
                                            static_cast<double>(m.options.deepest_queue)));
    std::vector<std::vector<double>> repeated(burst);
    std::vector<double> times;
    for (int i = 0; i < (simulated_time ? 1 : 9); ++i) {
        m.pair.yield_core();
        times = m.benchmarks.initiations(size, static_cast<int>(burst));
        for (std::size_t k = 0; k < times.size(); ++k) repeated[k].push_back(times[k]);
    }
    for (std::size_t k = 0; k < times.size(); ++k) times[k] = median(repeated[k]);
    m.profile.queue_depth = detect_queue_depth(times);
    if (!m.profile.queue_depth)
        m.profile.queue_depth_reason = "initiating messages of " + std::to_string(size) +
                                       " bytes did not slow down up to " + std::to_string(burst) +
                                       " outstanding";
}

}  // namespace lapwing
