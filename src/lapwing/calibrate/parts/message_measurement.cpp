#include "lapwing/calibrate/parts/message_measurement.hpp"

#include <algorithm>

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

}  // namespace lapwing
