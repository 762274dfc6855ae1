#pragma once

#include <cstdint>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"

namespace lapwing {

/// Computation of a steady time: a chain of multiplications, each of which needs the result of the
/// one before. It takes the same number of cycles every time, and touches no memory.
class Chain {
  public:
    explicit Chain(std::uint64_t length) : length_(length) {}
    /// A chain that runs for about `seconds`.
    static Chain lasting(double seconds) {
        if constexpr (simulated_time) {
            return Chain(static_cast<std::uint64_t>(seconds / simulated_link));
        } else {
            constexpr std::uint64_t links = 20000;
            const double start = now();
            Chain(links).run();
            const double each = (now() - start) / static_cast<double>(links);
            return Chain(static_cast<std::uint64_t>(seconds / each));
        }
    }

    void run() const {
        if constexpr (simulated_time) {
            charge(static_cast<double>(length_) * simulated_link);
        } else {
            std::uint64_t value = 1;
            for (std::uint64_t k = 0; k < length_; ++k) {
                value *= 0x9e3779b97f4a7c15U;
                asm volatile("" : "+r"(value));
            }
        }
    }

  private:
    static constexpr double simulated_link = 1e-9;  ///< seconds of a multiplication

    std::uint64_t length_;
};

}  // namespace lapwing
