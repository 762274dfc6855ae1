#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace lapwing::triangulation {

/// A triangle by the numbers of its vertices, smallest first.
using Triangle = std::array<std::uint64_t, 3>;

[[nodiscard]] inline Triangle triangle_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    Triangle triangle{a, b, c};
    std::ranges::sort(triangle);
    return triangle;
}

/// A number that looks random, a different one for each `key` (Steele, Lea, Flood 2014: SplitMix).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t key) {
    key += 0x9e3779b97f4a7c15;
    key = (key ^ key >> 30) * 0xbf58476d1ce4e5b9;
    key = (key ^ key >> 27) * 0x94d049bb133111eb;
    return key ^ key >> 31;
}

/// How many triangles there are, and the sum of their hashes modulo 2^64: the same in whatever
/// order and on however many ranks they are counted.
struct Checksum {
    std::uint64_t triangles = 0;
    std::uint64_t sum = 0;

    void add(const Triangle& triangle) {
        ++triangles;
        sum += mix(triangle[2] + mix(triangle[1] + mix(triangle[0])));
    }
    friend bool operator==(const Checksum&, const Checksum&) = default;
};

}  // namespace lapwing::triangulation
