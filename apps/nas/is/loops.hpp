#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "problem.hpp"

namespace lapwing::nas::is {

/// Counts the keys of each bucket, which the bits from `shift` on say.
void count_buckets(std::span<const Key> keys, int shift, std::uint32_t* counts);

/// Writes keys into `sorted`, bucket by bucket. `next`: the next place of each bucket.
void sort_by_bucket(std::span<const Key> keys, int shift, std::uint32_t* next, Key* sorted);

/// Counts the keys of each value, from `least` on.
void count_values(std::span<const Key> keys, Key least, std::uint32_t* counts);

/// Makes each number the sum of all up to it.
void sum_up(std::span<std::uint32_t> counts);

}  // namespace lapwing::nas::is
