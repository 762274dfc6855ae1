#include "lapwing/calibrate/parts/collective_costs.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "lapwing/calibrate/benchmarks/local_work.hpp"
#include "lapwing/calibrate/benchmarks/pair_benchmarks.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/statistics/collective_costs.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {
namespace {

constexpr std::uint64_t least_bytes = 8;  // bytes

/// How often to measure in a visit what takes `seconds`.
int times_in_a_visit(double seconds) {
    constexpr double visit = 2e-3;  // seconds
    constexpr int most = 50;
    return repetitions(seconds, visit, most);
}

/// The samples of messages of one size, alone and meeting others.
struct ExchangeSeries {
    std::uint64_t size = 0;
    Series alone{};
    Series exchange{};

    [[nodiscard]] ExchangeTimes times() const {
        return {size, alone.estimate(), exchange.estimate()};
    }
};

/// The samples of messages of one size whose receives are posted before they arrive, and after.
struct ArrivalSeries {
    std::uint64_t size = 0;
    Series expected{};
    Series unexpected{};

    [[nodiscard]] ArrivalTimes times() const {
        return {size, expected.estimate(), unexpected.estimate()};
    }
};

/// The largest message, bytes up to `longest`, that does not wait for its receive; 0: none is to be
/// measured. The same on both ranks.
std::uint64_t longest_eager(TwoSidedPair& pair, const Profile& profile, std::uint64_t longest) {
    if (simulated_time) return 0;           // a simulated rank is not charged for copies
    constexpr std::uint64_t surely = 2048;  // which nearly all MPIs send at once
    const std::uint64_t eager =
        profile.protocol ? profile.protocol->eager.value_or(surely) : surely;
    const auto both = static_cast<std::uint64_t>(pair.from_first(static_cast<double>(eager)));
    return std::min(both, longest);
}

/// Adds the arrivals of one size to a campaign.
void add_arrivals(Campaign& campaign, PairBenchmarks& benchmarks, ArrivalSeries& series) {
    using Posted = PairBenchmarks::Posted;
    const std::uint64_t size = series.size;
    TwoSidedPair& pair = benchmarks.pair();
    const double trip = pair.from_first(benchmarks.half_round_trip(size));
    const int times = times_in_a_visit(5 * trip);
    campaign.add("unexpected messages", {&series.expected, &series.unexpected}, [&, size, times] {
        benchmarks.arrivals(size, Posted::before, times, series.expected);
        benchmarks.arrivals(size, Posted::after, times, series.unexpected);
    });
}

/// Adds the messages of one size to a campaign.
void add_messages(Campaign& campaign, PairBenchmarks& benchmarks, ExchangeSeries& series) {
    const std::uint64_t size = series.size;
    TwoSidedPair& pair = benchmarks.pair();
    benchmarks.half_round_trip(size);  // opens connections
    const double trip = pair.from_first(benchmarks.half_round_trip(size));
    const int times = times_in_a_visit(4 * trip);
    campaign.add("messages that meet others", {&series.alone, &series.exchange}, [&, size, times] {
        benchmarks.half_round_trips(size, times, series.alone);
        benchmarks.exchanges(size, times, series.exchange);
    });
}

/// Adds a quantity of a rank's own work to a campaign.
void add_work(Campaign& campaign, RankPair& pair, Series& series,
              const std::function<double()>& measure) {
    const double once = pair.from_first(measure());  // which pays for cold caches, too
    const int times = times_in_a_visit(once);
    campaign.add("local work of collectives", {&series}, [&pair, &series, measure, times] {
        for (int i = 0; i < times; ++i) {
            const double seconds = measure();
            if (pair.first()) series.add(seconds);
        }
    });
}

}  // namespace

void measure_collective_costs(Context& context, std::uint64_t longest, Profile& profile) {
    TwoSidedPair& pair = context.pair;
    const double G = pair.from_first(profile.loggp.G);
    while (longest > 2 * least_bytes && G * static_cast<double>(longest) > context.longest)
        longest /= 2;
    PairBenchmarks messages(pair, longest);
    LocalWorkBenchmarks work(pair);
    ExchangeSeries few{.size = least_bytes};
    ExchangeSeries many{.size = longest};
    Campaign campaign(context.sampling);
    add_messages(campaign, messages, few);
    add_messages(campaign, messages, many);
    const std::uint64_t eager = longest_eager(pair, profile, longest);
    ArrivalSeries short_arrival{.size = std::min(eager, least_bytes)};
    ArrivalSeries long_arrival{.size = eager};
    if (eager > 0) {
        add_arrivals(campaign, messages, short_arrival);
        add_arrivals(campaign, messages, long_arrival);
    }
    std::array<Series, 6> series;
    auto& [combine, copy, blocks, whole, fresh, kept] = series;
    add_work(campaign, pair, combine, [&] { return work.combine(); });
    add_work(campaign, pair, copy, [&] { return work.copy(); });
    add_work(campaign, pair, blocks, [&] { return work.pack_blocks(); });
    add_work(campaign, pair, whole, [&] { return work.pack_whole(); });
    add_work(campaign, pair, fresh, [&] { return work.touch_fresh(); });
    add_work(campaign, pair, kept, [&] { return work.touch_kept(); });
    campaign.run();
    if (!pair.first()) return;
    profile.collectives = collective_costs({.bytes = LocalWorkBenchmarks::bytes,
                                            .combine = combine.estimate(),
                                            .copy = copy.estimate(),
                                            .blocks = blocks.estimate(),
                                            .whole = whole.estimate(),
                                            .buffer_bytes = LocalWorkBenchmarks::buffer_bytes,
                                            .fresh = fresh.estimate(),
                                            .kept = kept.estimate()},
                                           few.times(), many.times(), profile.loggp.G);
    if (eager > 0)
        set_unexpected(*profile.collectives, short_arrival.times(), long_arrival.times());
}

}  // namespace lapwing
