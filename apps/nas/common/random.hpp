#pragma once

#include <cstdint>

namespace lapwing::nas {

/// The random numbers of the NAS Parallel Benchmarks: x' = 5^13 x mod 2^46, each x / 2^46. Integers
/// give the same numbers as the doubles that the benchmark splits.
class Random {
  public:
    static constexpr std::uint64_t seed = 314'159'265;

    /// Begins after the first `skipped` numbers.
    explicit Random(std::uint64_t skipped = 0) {
        for (std::uint64_t power = factor; skipped > 0; skipped /= 2, power = product(power, power))
            if (skipped % 2 == 1) state_ = product(state_, power);
    }
    /// The next number, between 0 and 1.
    double operator()() {
        state_ = product(state_, factor);
        return static_cast<double>(state_) * 0x1p-46;
    }

  private:
    static constexpr std::uint64_t factor = 1'220'703'125;  ///< 5^13
    /// The lowest 46 bits of the product, which are correct although it overflows.
    static constexpr std::uint64_t product(std::uint64_t a, std::uint64_t b) {
        return a * b & ((std::uint64_t{1} << 46) - 1);
    }

    std::uint64_t state_ = seed;
};

}  // namespace lapwing::nas
