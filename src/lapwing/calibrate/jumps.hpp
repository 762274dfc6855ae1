#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace lapwing {

/// Sizes between which the time of a message jumps: from one to the next it grows by `factor` more
/// than the bytes do, as where an MPI begins to send another way. A line between the two is wrong
/// for all sizes between them, so sizes are added that hold the jump within a quarter of the gap.
///
/// `sizes`: bytes, increasing. `unit`: what added ones are multiples of, bytes. `most`: how many
/// jumps at most, the first ones. `seconds(size)`: what a message takes; those beyond the first
/// that takes more than `longest` are not asked for.
template <class Seconds>
[[nodiscard]] std::vector<std::uint64_t> with_jumps(const std::vector<std::uint64_t>& sizes,
                                                    std::uint64_t unit, int most, double longest,
                                                    Seconds&& seconds, double factor = 1.25) {
    using Timed = std::pair<std::uint64_t, double>;
    constexpr int halvings = 2;
    std::vector<std::uint64_t> all;
    std::optional<Timed> last;
    for (const auto size : sizes) {
        if (most > 0 && (!last || last->second <= longest)) {
            const Timed next{size, seconds(size)};
            const auto grows = [&] {
                const double bytes = static_cast<double>(size) / static_cast<double>(last->first);
                return next.second > factor * bytes * last->second;
            };
            if (last && next.second <= longest && grows()) {
                --most;
                Timed low = *last;
                Timed high = next;
                for (int k = 0; k < halvings; ++k) {
                    const auto middle = (low.first + high.first) / 2 / unit * unit;
                    if (middle <= low.first) break;
                    const Timed between{middle, seconds(middle)};
                    const bool below = between.second - low.second > high.second - between.second;
                    (below ? high : low) = between;
                }
                if (low.first > last->first) all.push_back(low.first);
                if (high.first < size) all.push_back(high.first);
            }
            last = next;
        }
        all.push_back(size);
    }
    return all;
}

}  // namespace lapwing
