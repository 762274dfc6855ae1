#include "lapwing/plan/candidates/partition.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lapwing/plan/search_options.hpp"

namespace lapwing {
namespace {

/// Whether `count` messages in `seconds` are worth more than `than_count` in `than`.
bool worth_more_messages(double seconds, std::uint64_t count, double than,
                         std::uint64_t than_count) {
    const double more = count > than_count ? static_cast<double>(count - than_count) : 0;
    const double gain = std::min(search_options.least_gain, search_options.gain_per_message * more);
    return seconds < (1 - gain) * than;
}

/// Number of messages of the chain, and its two ends, bytes.
struct ChainEnds {
    int count = 1;
    double first = 0;
    double last = 0;
};

/// The longest chain whose shortest message, which is one of its ends, is a grain or more.
ChainEnds chain_ends(const Chain& chain, double grain) {
    const int most = static_cast<int>(std::min(chain.volume / grain, 1e6));
    const int fastest =
        model::chain_count(chain.costs, chain.volume, search_options.gain_per_message);
    ChainEnds ends{.count = std::min({fastest, most, most_chained})};
    for (;; ends.count -= 1 + ends.count / 16) {
        ends.first = model::chain_first(chain.costs, chain.volume, ends.count);
        const auto sums = model::geometric_sums(chain.ratio, ends.count - 1);
        ends.last = sums.powers * ends.first + chain.increment * sums.first;
        if (ends.count <= 1 || std::min(ends.first, ends.last) >= grain) return ends;
    }
}

/// Tries what the chain has, and remembers the fastest.
void try_chain(const Chain& chain, std::uint64_t grain, const PartitionSeconds& seconds,
               Partition& best) {
    const auto offer = [&](Messages candidate) {
        const double takes = seconds.of(candidate);
        best.times.unequal = std::min(best.times.unequal, takes);
        if (!(takes < best.seconds)) return false;
        best.seconds = takes;
        best.messages = std::move(candidate);
        return true;
    };
    const auto [count, first, last] = chain_ends(chain, static_cast<double>(grain));
    if (count <= 1) return;
    if (std::max(first, last) > chain.cap) {
        offer(chain.cut_capped(grain, std::min(first, last), first < last));
        return;
    }
    offer(chain.cut(grain, count));
    // Rounding to the grain and a slow sender favour a message or more fewer.
    for (int n = count - 1; n > 1 && count <= search_options.most_chain_variants; n -= 1 + n / 8)
        if (!offer(chain.cut(grain, n)) && n + 2 < count) return;
}

/// Tries equal messages of many sizes.
void try_equal(const Chain& chain, std::uint64_t grain, const PartitionSeconds& seconds,
               Partition& best) {
    const auto grains =
        static_cast<std::uint64_t>(std::ceil(chain.volume / static_cast<double>(grain)));
    std::uint64_t chosen = 0;  // as many messages
    for (std::uint64_t n = 2; n <= grains && n <= search_options.most_equal;
         n += n < search_options.most_equal_one_by_one ? 1 : n / 16) {
        const std::uint64_t size = (grains + n - 1) / n * grain;
        if (static_cast<double>(size) > chain.largest) continue;
        const double takes = seconds.of_equal(size);
        if (chosen > 0 && !worth_more_messages(takes, n, best.times.equal, chosen)) continue;
        best.times.equal = takes;
        best.times.size = size;
        chosen = n;
    }
    if (chosen > 0) best.offer_equal(best.times.size, best.times.equal, grain);
}

}  // namespace

void Partition::offer(const Partition& other) {
    times.whole = std::min(times.whole, other.times.whole);
    times.unequal = std::min(times.unequal, other.times.unequal);
    if (other.times.equal < times.equal) {
        times.equal = other.times.equal;
        times.size = other.times.size;
    }
    if (!worth_more_messages(other.seconds, other.messages.count(), seconds, messages.count()))
        return;
    seconds = other.seconds;
    messages = other.messages;
}

void Partition::offer_equal(std::uint64_t size, double takes, std::uint64_t grain) {
    const std::uint64_t volume = messages.volume();
    if (takes < times.equal) {
        times.equal = takes;
        times.size = size;
    }
    if (!worth_more_messages(takes, (volume + size - 1) / size, seconds, messages.count())) return;
    seconds = takes;
    messages = Messages::uniform(volume, size, grain);
}

Partition best_partition(const Chain& chain, std::uint64_t grain, const PartitionSeconds& seconds) {
    const auto volume = static_cast<std::uint64_t>(chain.volume);
    Partition best;
    best.messages = Messages::uniform(volume, volume, grain);
    best.seconds = seconds.of(best.messages);
    best.times.whole = best.seconds;
    try_chain(chain, grain, seconds, best);
    if (seconds.of_equal) try_equal(chain, grain, seconds, best);
    return best;
}

}  // namespace lapwing
