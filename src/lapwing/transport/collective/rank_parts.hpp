#pragma once

#include <climits>
#include <cstddef>
#include <cstring>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace lapwing::collective {

/// `count` as MPI has it. Throws `std::invalid_argument` where that is too many.
[[nodiscard]] inline int checked_count(std::size_t count) {
    if (count > INT_MAX)
        throw std::invalid_argument("collective: " + std::to_string(count) +
                                    " is more than MPI can count here");
    return static_cast<int>(count);
}

/// Appends what MPI wants to know of parts that lie one behind the other: first their lengths, then
/// where they begin.
inline void append_counts(std::vector<int>& counts, std::span<const std::size_t> lengths) {
    for (const std::size_t length : lengths) counts.push_back(checked_count(length));
    std::size_t begin = 0;
    for (const std::size_t length : lengths) {
        counts.push_back(checked_count(begin));
        begin += length;
    }
}

/// Some bytes, to be read (`const void`) or written (`void`).
template <class Void>
struct Bytes {
    Void* data;
    std::size_t size;
};

/// The part of `rank` in a buffer of one part a rank, which lie one behind the other.
template <class Void>
[[nodiscard]] Bytes<Void> part_of(Void* all, std::span<const std::size_t> lengths, int rank) {
    using Byte = std::conditional_t<std::is_const_v<Void>, const std::byte, std::byte>;
    const auto place = static_cast<std::size_t>(rank);
    const auto before = lengths.first(place);
    return {static_cast<Byte*>(all) + std::accumulate(before.begin(), before.end(), std::size_t{0}),
            lengths[place]};
}

/// Copies what a rank sends to itself. Throws `std::invalid_argument` where there is no room for
/// it.
inline void copy_own_part(const Bytes<const void>& from, const Bytes<void>& into) {
    if (from.size > into.size)
        throw std::invalid_argument("collective: " + std::to_string(from.size) +
                                    " bytes for a part of " + std::to_string(into.size));
    if (from.size > 0) std::memcpy(into.data, from.data, from.size);
}

}  // namespace lapwing::collective
