#include "lapwing/plan/candidates/chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "lapwing/plan/candidates/message_cutter.hpp"

namespace lapwing {
namespace {

/// Messages grow until their overhead is this share of their time. Larger ones save nothing, and
/// make the plan brittle against a wrong estimate of the computation.
constexpr double least_overhead = 1e-3;

}  // namespace

Chain::Chain(const model::Stream& x, double bytes, double grain, double most)
    : costs(x),
      volume(bytes),
      ratio((x.t + x.o_r.per_byte) / x.G),
      increment((x.o_r.base - x.h) / x.G),
      largest(std::max(grain, most)) {
    const double overhead = std::max(x.o_s.base, x.o_r.base);
    const double worth = overhead / (least_overhead * x.G * std::max(1.0, ratio));
    cap = std::max(grain, std::min(most, worth));
}

Messages Chain::cut(std::uint64_t grain, int n) const {
    MessageCutter cutter(static_cast<std::uint64_t>(volume), grain);
    double size = model::chain_first(costs, volume, n);
    int left = n;
    if (n > 1) {
        const double issue_rate = costs.o_s.per_byte + costs.G;
        const double late = (costs.o_r.base - costs.o_s.base) / issue_rate;  // headers cancel
        const double late_ratio = (costs.G + costs.t + costs.o_r.per_byte) / issue_rate;
        if (late + late_ratio * size < after(size)) {
            const auto rest = model::geometric_sums(ratio, n - 1);
            const double opening = (volume - increment * rest.second - rest.first * late) /
                                   (1 + rest.first * late_ratio);
            cutter.append(opening);
            size = late + late_ratio * opening;
            --left;
        }
    }
    for (; left > 0; --left) {
        cutter.append(size);
        size = after(size);
    }
    return cutter.finish();
}

Messages Chain::cut_capped(std::uint64_t grain, double small_end, bool growing) const {
    std::vector<double> chained;
    double size = std::max(small_end, static_cast<double>(grain));
    double sum = 0;
    while (size < cap && sum + size < volume &&
           chained.size() < static_cast<std::size_t>(most_chained)) {
        chained.push_back(size);
        sum += size;
        const double next = growing ? after(size) : before(size);
        if (!(next > size)) break;
        size = next;
    }
    const double count = std::max(1.0, std::ceil((volume - sum) / cap));
    MessageCutter cutter(static_cast<std::uint64_t>(volume), grain);
    if (!growing) {
        cutter.append_equal(volume - sum, static_cast<std::uint64_t>(count), growing);
        std::reverse(chained.begin(), chained.end());
    }
    for (const double message : chained) cutter.append(message);
    if (growing) cutter.append_equal(volume - sum, static_cast<std::uint64_t>(count), growing);
    return cutter.finish();
}

}  // namespace lapwing
