#include "loops.hpp"

#include <algorithm>

namespace lapwing::nas::is {

void count_buckets(std::span<const Key> keys, int shift, std::uint32_t* counts) {
    for (const Key key : keys) ++counts[key >> shift];
}

void sort_by_bucket(std::span<const Key> keys, int shift, std::uint32_t* next, Key* sorted) {
    for (const Key key : keys) sorted[next[key >> shift]++] = key;
}

void bring_into_cache(std::span<Key> memory) {
    constexpr std::size_t cache = std::size_t{1} << 20;
    if (memory.size_bytes() <= cache) std::fill(memory.begin(), memory.end(), 0);
}

void count_values(std::span<const Key> keys, Key least, std::uint32_t* counts) {
    for (const Key key : keys) ++counts[key - least];
}

void sum_up(std::span<std::uint32_t> counts) {
    std::uint32_t sum = 0;
    for (std::uint32_t& count : counts) count = sum += count;
}

}  // namespace lapwing::nas::is
