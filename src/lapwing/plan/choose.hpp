#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "lapwing/plan/chain.hpp"
#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// What the three ways to cut come to, each at its best: seconds, infinite where there is none.
struct Ways {
    double whole = std::numeric_limits<double>::infinity();    ///< not cut
    double equal = std::numeric_limits<double>::infinity();    ///< into equal messages
    double unequal = std::numeric_limits<double>::infinity();  ///< into messages of unequal size
    std::uint64_t size = 0;                                    ///< of the equal messages, bytes
};

/// A message more is worth its risk where it saves this share of the time.
inline constexpr double worthwhile_message = 1e-6;

/// Whether `count` messages in `seconds` are to be had rather than `than_count` in `than`.
[[nodiscard]] inline bool pays(double seconds, std::uint64_t count, double than,
                               std::uint64_t than_count) {
    // However many more there are, this share is worth them.
    constexpr double worthwhile = 1e-3;
    const double more = count > than_count ? static_cast<double>(count - than_count) : 0;
    return seconds < (1 - std::min(worthwhile, worthwhile_message * more)) * than;
}

/// The fastest of some ways to cut.
struct Choice {
    Messages messages;
    double seconds = 0;
    Ways ways;

    /// Another choice of the same volume's: taken if it is faster.
    void offer(const Choice& other) {
        ways.whole = std::min(ways.whole, other.ways.whole);
        ways.unequal = std::min(ways.unequal, other.ways.unequal);
        if (other.ways.equal < ways.equal) {
            ways.equal = other.ways.equal;
            ways.size = other.ways.size;
        }
        if (!pays(other.seconds, other.messages.count(), seconds, messages.count())) return;
        seconds = other.seconds;
        messages = other.messages;
    }
    /// Equal messages of `size` bytes, which take so many seconds: taken if they pay.
    void offer_equal(std::uint64_t size, double takes, std::uint64_t grain) {
        const std::uint64_t volume = messages.volume();
        if (takes < ways.equal) {
            ways.equal = takes;
            ways.size = size;
        }
        if (!pays(takes, (volume + size - 1) / size, seconds, messages.count())) return;
        seconds = takes;
        messages = Messages::uniform(volume, size, grain);
    }
};

/// Cuts the chain's volume in many ways and keeps the fastest: not at all, as the chain has it, and
/// in equal messages. `play(messages)` and `uniform(size)`, for messages of so many bytes, say how
/// many seconds a way takes.
template <class Play, class Uniform>
[[nodiscard]] Choice choose(const Chain& chain, std::uint64_t grain, Play&& play,
                            Uniform&& uniform) {
    // Beyond this many messages the candidates beside the chain's own are not played.
    constexpr int most_played = 64;

    const auto volume = static_cast<std::uint64_t>(chain.volume);
    Choice best;
    best.messages = Messages::uniform(volume, volume, grain);
    best.seconds = play(best.messages);
    best.ways.whole = best.seconds;
    const auto offer = [&](Messages candidate) {
        const double seconds = play(candidate);
        best.ways.unequal = std::min(best.ways.unequal, seconds);
        if (!(seconds < best.seconds)) return false;
        best.seconds = seconds;
        best.messages = std::move(candidate);
        return true;
    };
    const auto least = static_cast<double>(grain);
    const int most = static_cast<int>(std::min(chain.volume / least, 1e6));

    // The chain's shortest message is one of its ends, and no shorter than a grain.
    int count = std::min(
        {model::chain_count(chain.costs, chain.volume, worthwhile_message), most, most_chained});
    double first = 0;
    double last = 0;
    for (;; count -= 1 + count / 16) {
        first = model::chain_first(chain.costs, chain.volume, count);
        const auto sums = model::geometric_sums(chain.ratio, count - 1);
        last = sums.powers * first + chain.increment * sums.first;
        if (count <= 1 || std::min(first, last) >= least) break;
    }
    if (count > 1 && std::max(first, last) > chain.cap) {
        offer(chain.capped(grain, std::min(first, last), first < last));
    } else if (count > 1) {
        offer(chain.of(grain, count));
        // Rounding to the grain and a slow sender favour a message or more fewer.
        for (int n = count - 1; n > 1 && count <= most_played; n -= 1 + n / 8)
            if (!offer(chain.of(grain, n)) && n + 2 < count) break;
    }
    const auto grains = static_cast<std::uint64_t>(std::ceil(chain.volume / least));
    std::uint64_t equal = 0;  // as many messages
    for (std::uint64_t n = 2; n <= grains && n <= 65536; n += n < 128 ? 1 : n / 16) {
        const std::uint64_t size = (grains + n - 1) / n * grain;
        if (static_cast<double>(size) > chain.largest) continue;
        if (const double seconds = uniform(size);
            equal == 0 || pays(seconds, n, best.ways.equal, equal)) {
            best.ways.equal = seconds;
            best.ways.size = size;
            equal = n;
        }
    }
    if (equal > 0) best.offer_equal(best.ways.size, best.ways.equal, grain);
    return best;
}

}  // namespace lapwing
