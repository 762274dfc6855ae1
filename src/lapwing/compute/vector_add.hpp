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

/// The kernel "add", the computation of Iancu and Strohmaier's benchmarks: `b[i] = a[i] + s`,
/// repeated so often that it takes a wanted time per byte.
///
/// It works block by block of the *whole* vector; a block stays in the first-level cache. The
/// number of passes over a block depends on its place alone. So the result is the same to the bit,
/// in whatever pieces the vector was cut.
class VectorAdd {
  public:
    static constexpr std::size_t block = 512;  ///< elements

    /// `seconds_per_byte`: what it is to take. `pass`: seconds per byte of one pass, by
    /// `measure_pass`.
    VectorAdd(double seconds_per_byte, double pass)
        : seconds_per_byte_(seconds_per_byte),
          passes_(simulated_time ? 1 : seconds_per_byte / pass) {}

    /// Computes elements `first` to `first + count` of `b` from those of `a`; both are whole
    /// vectors. Calls `poll()` after each block.
    template <class Poll>
    void operator()(const double* a, double* b, std::uint64_t first, std::uint64_t count,
                    Poll&& poll) const {
        piece(a + first, b + first, first, count, poll);
    }
    /// The same where `a` and `b` hold these `count` elements alone.
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

    /// Seconds per byte of one pass over a block on this processor: the fastest of many, for 50 ms,
    /// after which the processor has reached its full clock.
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

    // Never inlined: the address of so tight a loop changes the time of a pass by a factor of up to
    // two. So measurement and use must have the same copy.
    [[gnu::noinline]] static void add(const double* a, double* b, std::uint64_t count,
                                      std::uint64_t passes) {
        constexpr double s = 1.0;
        alignas(64) double sum[block];
        std::memcpy(sum, a, count * sizeof(double));
        for (std::uint64_t pass = 0; pass < passes; ++pass) {
            for (std::uint64_t i = 0; i < count; ++i) sum[i] += s;
            // The compiler must not add the passes up.
            asm volatile("" : : "r"(sum) : "memory");
        }
        std::memcpy(b, sum, count * sizeof(double));
    }

    double seconds_per_byte_;
    double passes_;
};

}  // namespace lapwing
