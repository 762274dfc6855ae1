#include "lapwing/calibrate/parts/plogp.hpp"

#include <algorithm>
#include <vector>

#include "lapwing/calibrate/benchmarks/packet_train.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing {
namespace {

/// A size of the table, and the samples of its messages.
struct PLogPSize {
    PLogPSize(std::uint64_t bytes, std::uint64_t train_, double delay_, const ClockSpeed& clock)
        : size(bytes), train(train_), delay(delay_), sends(clock), receives(clock) {}

    std::uint64_t size;
    std::uint64_t train;  ///< messages in a train
    double delay;         ///< seconds in which a message arrives
    Series trains;
    Series ones;
    Series sends;
    Series waits;  ///< the same sends, as time that the wire takes
    Series receives;
};

/// The sizes of the table. A first round opens connections and tells how long each message takes,
/// as the least of some: a moment's disturbance must not end the table.
std::vector<PLogPSize> choose_sizes(Context& context, std::uint64_t largest, Buffers& buffers) {
    constexpr std::uint64_t smallest_large = 1024;
    constexpr double most = 64;  // messages in a train
    constexpr int tries = simulated_time ? 1 : 7;
    TwoSidedPair& pair = context.pair;
    std::vector<PLogPSize> sizes;
    for (std::uint64_t size = 1; size <= largest; size *= size < smallest_large ? 4 : 2) {
        double once = run_blocking_train(pair, buffers, size, 1).total;
        for (int i = 1; i < tries; ++i)
            once = std::min(once, run_blocking_train(pair, buffers, size, 1).total);
        once = pair.from_first(once);
        if (size > 1 && once > context.longest) break;
        const auto train =
            static_cast<std::uint64_t>(std::clamp(context.longest / once, 4.0, most));
        sizes.emplace_back(size, train, 1.5 * once + 20e-6, context.sampling.environment.clock());
    }
    return sizes;
}

void sample_plogp(TwoSidedPair& pair, Buffers& buffers, PLogPSize& each) {
    each.trains.add(run_blocking_train(pair, buffers, each.size, each.train).total);
    const auto [first, total] = run_blocking_train(pair, buffers, each.size, 1);
    each.ones.add(total);
    each.sends.add(first);
    each.waits.add(first);
    each.receives.add(receive_arrived(pair, buffers, each.size, each.delay));
}

PLogP parameters_of(const std::vector<PLogPSize>& sizes) {
    PLogP result;
    for (const PLogPSize& each : sizes) {
        const double more = each.trains.median() - each.ones.median();
        result.sizes.push_back(each.size);
        result.gap.push_back(std::max(0.0, more / static_cast<double>(each.train - 1)));
        result.receive.push_back(each.receives.median());
    }
    const double G = result.gap.back() / static_cast<double>(result.sizes.back());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        // A send that takes as long as the wire waits for the wire, not for the processor.
        const double wait = sizes[i].waits.median();
        const bool waited = wait > 0.5 * G * static_cast<double>(sizes[i].size);
        result.send.push_back(waited && i > 0 ? wait : sizes[i].sends.median());
    }
    result.L = std::max(0.0, sizes.front().ones.median() / 2 - result.gap.front());
    return result;
}

}  // namespace

double receive_arrived(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, double delay) {
    PairMessages messages(pair, buffers, size);
    if (!pair.first()) {
        pair.barrier();
        messages.send(0).wait();
        return 0;
    }
    const double start = pair.now();
    auto request = messages.receive(0);
    const double posted = pair.now();
    pair.barrier();
    wait_until(pair.now() + delay);
    const double back = pair.now();
    request.wait();
    return posted - start + pair.now() - back;
}

void measure_plogp(Context& context, std::uint64_t largest, Profile& profile) {
    TwoSidedPair& pair = context.pair;
    Buffers buffers(std::max<std::uint64_t>(4 * largest, 1));
    std::vector<PLogPSize> sizes = choose_sizes(context, largest, buffers);
    Campaign campaign(context.sampling);
    constexpr int times = simulated_time ? 1 : 3;
    for (PLogPSize& each : sizes) {
        campaign.add("pLogP", {&each.trains, &each.ones, &each.sends, &each.waits, &each.receives},
                     [&pair, &buffers, &each] {
                         for (int k = 0; k < times; ++k) sample_plogp(pair, buffers, each);
                     });
    }
    campaign.run();
    if (pair.first()) profile.plogp = parameters_of(sizes);
}

}  // namespace lapwing
