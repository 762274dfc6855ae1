#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing {

/// The computation of Iancu and Strohmaier's benchmarks, `b[i] = a[i] + s`, repeated as often as it
/// takes to spend a wanted time per byte.
///
/// Elements are worked on in blocks that stay in the first-level cache, block by block of the
/// *whole* vector, and how often a block is passed over depends on its place alone: the result is
/// the same to the bit however the vector was cut into pieces.
class VectorAdd {
  public:
    static constexpr std::size_t block = 512;  ///< elements

    /// `seconds_per_byte` to spend; `pass` seconds per byte of one pass, from `measure_pass`.
    VectorAdd(double seconds_per_byte, double pass)
        : seconds_per_byte_(seconds_per_byte),
          passes_(simulated_time ? 1 : seconds_per_byte / pass) {}

    /// Works on `a[first, first + count)` of the whole vector and writes the same elements of `b`.
    /// `poll` is called after each block.
    template <class Poll>
    void operator()(const double* a, double* b, std::uint64_t first, std::uint64_t count,
                    Poll&& poll) const {
        piece(a + first, b + first, first, count, poll);
    }
    /// The same where what is at hand is the `count` elements from `first` on and nothing else:
    /// from `a`, to `b`.
    template <class Poll>
    void piece(const double* a, double* b, std::uint64_t first, std::uint64_t count,
               Poll&& poll) const {
        const std::uint64_t end = first + count;
        while (first < end) {
            const std::uint64_t index = first / block;
            const std::uint64_t stop = std::min(end, (index + 1) * block);
            add(a, b, stop - first, passes(index));
            a += stop - first;
            b += stop - first;
            first = stop;
            poll();
        }
        charge(seconds_per_byte_ * static_cast<double>(count * sizeof(double)));
    }

    /// Seconds per byte of one pass over a block on this processor: the fastest of many tries, over
    /// long enough for the processor to have reached its speed.
    static double measure_pass() {
        if (simulated_time) return 1;
        constexpr std::uint64_t repetitions = 2000;
        constexpr double long_enough = 50e-3;
        std::vector<double> a(block, 1.0);
        std::vector<double> b(block);
        double best = 1;
        const double begin = now();
        for (double start = begin; start < begin + long_enough; start = now()) {
            add(a.data(), b.data(), block, repetitions);
            best = std::min(best, now() - start);
        }
        return best / static_cast<double>(repetitions * block * sizeof(double));
    }

  private:
    [[nodiscard]] std::uint64_t passes(std::uint64_t index) const {
        const auto at = static_cast<double>(index);
        return static_cast<std::uint64_t>((at + 1) * passes_) -
               static_cast<std::uint64_t>(at * passes_);
    }

    // Never inlined: where a loop this tight happens to lie in memory changes the time of a pass by
    // a factor of up to two, so there must be one copy of it, measured and used.
    [[gnu::noinline]] static void add(const double* a, double* b, std::uint64_t count,
                                      std::uint64_t passes) {
        constexpr double s = 1.0;
        alignas(64) double sum[block];
        std::memcpy(sum, a, count * sizeof(double));
        for (std::uint64_t pass = 0; pass < passes; ++pass) {
            for (std::uint64_t i = 0; i < count; ++i) sum[i] += s;
            // Each pass has to be made: the compiler must not add them up.
            asm volatile("" : : "r"(sum) : "memory");
        }
        std::memcpy(b, sum, count * sizeof(double));
    }

    double seconds_per_byte_;
    double passes_;
};

}  // namespace lapwing
