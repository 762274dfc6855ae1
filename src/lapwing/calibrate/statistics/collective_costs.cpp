#include "lapwing/calibrate/statistics/collective_costs.hpp"

#include <algorithm>

#include "lapwing/calibrate/statistics/excess.hpp"

namespace lapwing {
namespace {

double per_byte(double seconds, std::uint64_t bytes) {
    return bytes > 0 ? seconds / static_cast<double>(bytes) : 0;
}

}  // namespace

CollectiveCosts collective_costs(const LocalWorkTimes& work, const ExchangeTimes& shortest,
                                 const ExchangeTimes& longest, double G) {
    constexpr Estimate nothing{};
    constexpr int ends = 2;
    CollectiveCosts costs;
    costs.combine = per_byte(excess(work.combine, nothing), work.bytes);
    costs.copy = per_byte(excess(work.copy, nothing), work.bytes);
    costs.pack = ends * excess(work.blocks, work.whole);
    costs.fresh = per_byte(excess(work.fresh, work.kept), work.buffer_bytes);
    costs.exchange = excess(shortest.exchange, shortest.alone);
    // What short messages take longer, too, is no cost of bytes.
    Estimate alone = longest.alone;
    alone.median = std::max(alone.median, G * static_cast<double>(longest.size)) + costs.exchange;
    costs.exchange_per_byte = per_byte(excess(longest.exchange, alone), longest.size);
    return costs;
}

void set_unexpected(CollectiveCosts& costs, const ArrivalTimes& shortest,
                    const ArrivalTimes& longest) {
    costs.unexpected = excess(shortest.unexpected, shortest.expected);
    costs.unexpected_per_byte = 0;
    if (longest.size <= shortest.size) return;
    Estimate expected = longest.expected;
    expected.median += costs.unexpected;
    costs.unexpected_per_byte =
        per_byte(excess(longest.unexpected, expected), longest.size - shortest.size);
}

double node_copy(const Estimate& alone, const Estimate& together, int ranks, std::uint64_t bytes) {
    if (ranks < 2 || excess(together, alone) <= 0) return 0;
    return per_byte(together.median, bytes * static_cast<std::uint64_t>(ranks));
}

}  // namespace lapwing
