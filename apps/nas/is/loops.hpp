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

/// Clears the memory that keys will be sorted into, if a cache holds it. Written in order it comes
/// from memory faster than as `sort_by_bucket` asks for it, a line here and a line there.
void bring_into_cache(std::span<Key> memory);

/// Counts the keys of each value, from `least` on.
void count_values(std::span<const Key> keys, Key least, std::uint32_t* counts);

/// Makes each number the sum of all up to it.
void sum_up(std::span<std::uint32_t> counts);

}  // namespace lapwing::nas::is
