#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lapwing::nas::is {

using Key = std::uint32_t;

/// A key whose rank the benchmark publishes. In each iteration two other keys become the smallest
/// and the largest ones so far, which moves its rank by one.
struct TestKey {
    std::uint64_t place;  ///< among all keys, as they are generated
    std::int64_t rank;    ///< before the first iteration
    int change;           ///< of its rank, in an iteration
};

inline constexpr std::size_t test_keys = 5;

/// A class of the benchmark IS of the NAS Parallel Benchmarks (Bailey et al. 1991): ranks integer
/// keys, so that they are sorted by their ranks.
struct Problem {
    char name;
    int log_keys;
    int log_values;   ///< keys are less than 2^log_values
    int log_buckets;  ///< a bucket has keys of as many values as any other
    std::array<TestKey, test_keys> tests;
    int iterations = 10;

    [[nodiscard]] std::vector<std::size_t> size() const { return {keys(), values()}; }
    [[nodiscard]] std::size_t keys() const { return std::size_t{1} << log_keys; }
    [[nodiscard]] std::size_t values() const { return std::size_t{1} << log_values; }
    [[nodiscard]] std::size_t buckets() const { return std::size_t{1} << log_buckets; }
    /// Bits of a key behind those that say its bucket.
    [[nodiscard]] int shift() const { return log_values - log_buckets; }
    /// The operations of a run, as the benchmark counts them: keys that are ranked.
    [[nodiscard]] double operations() const { return static_cast<double>(keys()) * iterations; }

    /// The keys of the first `ranks` ranks, those that rank number `ranks` begins behind.
    [[nodiscard]] std::size_t keys_before(int rank, int ranks) const {
        return keys() * static_cast<std::size_t>(rank) / static_cast<std::size_t>(ranks);
    }
    /// The share of all keys that is expected in the first `buckets` buckets.
    [[nodiscard]] double share_below(std::size_t buckets) const;
    /// How many of `keys` keys are expected there.
    [[nodiscard]] std::size_t expected_below(std::size_t buckets, std::size_t keys) const;
    /// The most keys that a rank of `ranks` has after they are distributed: its share, and a bucket
    /// more. The fullest bucket has 8/3 times the mean.
    [[nodiscard]] std::size_t most_keys(int ranks) const {
        return keys() / static_cast<std::size_t>(ranks) + 1 + 3 * (keys() >> log_buckets);
    }
};

/// The class of that name. Throws `std::invalid_argument` if there is none.
[[nodiscard]] Problem find_problem(std::string_view name);

/// Makes the keys from number `first` on: each is the sum of four random numbers.
void generate(const Problem& problem, std::size_t first, std::span<Key> keys);

}  // namespace lapwing::nas::is
